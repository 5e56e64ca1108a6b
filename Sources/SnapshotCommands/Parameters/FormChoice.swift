/// The form of a command that arguments have.
struct FormChoice {
  let form: CommandForm
  /// The operands of the form, without the store if another source names it.
  private let expected: [Parameter]
  /// Whether `--store` or the environment names the store, and no operand.
  let isStoreElsewhere: Bool

  /// Chooses the first form that fits. A form with its store as an operand comes before those without it.
  ///
  /// - Parameter hasStore: whether `--store` or the environment names a store.
  /// - Throws: ``ArgumentError`` if none fits: what is wrong with the form that fits best.
  static func of(_ forms: [CommandForm], _ scan: ArgumentScan, hasStore: Bool) throws -> FormChoice {
    let isNamed = scan.options[Parameter.storeOption] != nil
    var choices: [FormChoice] = []
    if !isNamed { choices += forms.map { FormChoice($0, isStoreElsewhere: false) } }
    if hasStore {
      choices += forms.filter { isNamed || $0.operands.contains(where: \.isStore) }
        .map { FormChoice($0, isStoreElsewhere: true) }
    }
    // A form with a fixed word is meant if the word is given.
    choices = choices.filter { $0.isNamed(by: scan) } + choices.filter { !$0.isNamed(by: scan) }
    var best: Mismatch?
    for choice in choices {
      guard let mismatch = choice.mismatch(scan, forms) else { return choice }
      if best.map({ $0 < mismatch }) ?? true { best = mismatch }
    }
    throw best?.error ?? ArgumentError("there is no way to call it")
  }

  private init(_ form: CommandForm, isStoreElsewhere: Bool) {
    self.form = form
    self.isStoreElsewhere = isStoreElsewhere
    expected = form.operands(withoutStore: isStoreElsewhere)
  }

  /// The values by the names of the parameters.
  ///
  /// - Parameter store: the path from `--store` or the environment.
  /// - Throws: ``ArgumentError`` for a value that a parameter cannot have.
  func values(_ scan: ArgumentScan, store: String?) throws -> [String: [String]] {
    var values = scan.options
    for (parameter, given) in assigned(scan.operands) where parameter.form == .operand {
      values[parameter.name] = Array(given)
    }
    for parameter in form.parameters {
      let given = values[parameter.name] ?? []
      if parameter.isOption, !parameter.isRepeated, parameter.form == .option, given.count > 1 {
        throw ArgumentError("\(parameter.name) may be given once only")
      }
      for value in given { try parameter.check(value) }
    }
    if let store {
      if isStoreElsewhere, let operand = form.operands.first(where: \.isStore) { values[operand.name] = [store] }
      if form.option(Parameter.storeOption) != nil { values[Parameter.storeOption] = [store] }
    }
    return values
  }

  // MARK: How well it fits

  /// What is wrong with a form, and how far it fits.
  private struct Mismatch {
    /// The number of the test that failed.
    let test: Int
    /// Whether the arguments have what only this form has.
    let isNamed: Bool
    let error: ArgumentError

    static func < (a: Mismatch, b: Mismatch) -> Bool {
      a.isNamed == b.isNamed ? a.test < b.test : b.isNamed
    }
  }

  /// Whether the arguments have the fixed words and the required flags of the form, and it has some.
  private func isNamed(by scan: ArgumentScan) -> Bool {
    let flags = form.options.filter { $0.form == .flag && $0.isRequired }
    let words = zip(expected, scan.operands).count { $0.form == .word && $0.name == $1 }
    return words + flags.count > 0 && words == form.words.count && flags.allSatisfy { scan.options[$0.name] != nil }
  }

  private func mismatch(_ scan: ArgumentScan, _ forms: [CommandForm]) -> Mismatch? {
    let given = scan.operands
    let isNamed = isNamed(by: scan)
    func mismatch(_ test: Int, _ message: String?) -> Mismatch? {
      message.map { Mismatch(test: test, isNamed: isNamed, error: ArgumentError($0)) }
    }
    return mismatch(0, unknownWord(given, forms)) ?? mismatch(1, missingOption(scan, .flag))
      ?? mismatch(2, surplus(given, isNamed ? [] : forms)) ?? mismatch(3, foreignOption(scan, forms))
      ?? mismatch(4, missingOption(scan, .option)) ?? mismatch(5, missingOperand(given))
      ?? mismatch(6, excludedOption(scan))
  }

  /// The operands before the first that may be left out or repeated are at a known place.
  private func unknownWord(_ given: [String], _ forms: [CommandForm]) -> String? {
    for (index, (parameter, word)) in zip(expected, given).enumerated() {
      if !parameter.isRequired || parameter.isRepeated { return nil }
      guard let choices = parameter.value.choices, !choices.contains(where: { $0.value == word }) else { continue }
      return Parameter.unknown(word, words(at: index, forms))
    }
    return nil
  }

  /// The words that any of the forms has at a place.
  private func words(at index: Int, _ forms: [CommandForm]) -> [String] {
    forms.map { $0.operands(withoutStore: isStoreElsewhere) }.filter { $0.count > index }
      .flatMap { $0[index].value.choices ?? [] }.map(\.value)
  }

  private func missingOption(_ scan: ArgumentScan, _ kind: Parameter.Form) -> String? {
    form.options.first { $0.form == kind && $0.isRequired && scan.options[$0.name] == nil }
      .map { "\($0.name)\($0.form == .option ? " \($0.valueName)" : "") is missing" }
  }

  private func surplus(_ given: [String], _ forms: [CommandForm]) -> String? {
    if expected.contains(where: \.isRepeated) || given.count <= expected.count { return nil }
    let extra = given[expected.count]
    let words = words(at: expected.count, forms)
    if !words.isEmpty, !words.contains(extra) { return Parameter.unknown(extra, words) }
    return "“\(extra.shortForMessage)” is one argument too many"
  }

  private func missingOperand(_ given: [String]) -> String? {
    let required = expected.filter(\.isRequired)
    guard given.count < required.count else { return nil }
    let missing = required[given.count]
    let words = missing.value.choices.map { "; it is one of \($0.map(\.value).joined(separator: ", "))" }
    return "\(missing.name) is missing" + (words ?? adviceOnStore(missing, isOnly: required.count == given.count + 1))
  }

  /// Advice if no source names the store, and one operand is missing.
  private func adviceOnStore(_ missing: Parameter, isOnly: Bool) -> String {
    guard isOnly, let store = expected.first(where: \.isStore) else { return "" }
    let ways = "--store or \(StorePath.variable)"
    return missing.isStore ? "; \(ways) may name it too" : ", or \(store.name), which \(ways) may name"
  }

  private func foreignOption(_ scan: ArgumentScan, _ forms: [CommandForm]) -> String? {
    guard let name = scan.options.keys.sorted().first(where: { form.option($0) == nil }) else { return nil }
    let words = forms.filter { $0.option(name) != nil }.map { $0.words.first }
    if !words.contains(nil) {
      return "\(name) is only for \(words.compactMap { $0 }.joined(separator: ", "))"
    }
    return "\(name) does not go with \(form.words.first ?? "these operands")"
  }

  private func excludedOption(_ scan: ArgumentScan) -> String? {
    let given = form.options.filter { scan.options[$0.name] != nil }
    for (index, option) in given.enumerated() {
      if let other = given[..<index].first(where: { $0.excludes(option) }) {
        return "\(other.name) and \(option.name) exclude each other"
      }
    }
    return nil
  }

  /// The operands with their values. Those on the left get the values first.
  private func assigned(_ given: [String]) -> [(Parameter, ArraySlice<String>)] {
    var surplus = given.count - expected.count(where: \.isRequired)
    var rest = given[...]
    return expected.map { parameter in
      let more = parameter.isRepeated ? surplus : parameter.isRequired ? 0 : min(1, surplus)
      surplus -= more
      let count = (parameter.isRequired ? 1 : 0) + more
      defer { rest = rest.dropFirst(count) }
      return (parameter, rest.prefix(count))
    }.filter { !$0.1.isEmpty }
  }
}

extension Parameter {
  fileprivate static func unknown(_ word: String, _ words: [String]) -> String {
    let near = NearName.of(word, in: words).map { "; did you mean “\($0)”?" } ?? ""
    let known =
      words.count == 1
      ? "“\(word.shortForMessage)” is not “\(words[0])”"
      : "“\(word.shortForMessage)” is not one of \(words.joined(separator: ", "))"
    return known + near
  }

  /// - Throws: ``ArgumentError`` for a word, a number or a day that the parameter cannot be.
  fileprivate func check(_ text: String) throws {
    switch value {
    case .words(let words) where !words.contains { $0.value == text }:
      throw ArgumentError((isOption ? "\(name): " : "") + Self.unknown(text, words.map(\.value)))
    case .number(let range):
      if let number = Int(text), range.contains(number) { return }
      let limit = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw ArgumentError("\(name) needs a whole number from \(range.lowerBound)\(limit)")
    case .day:
      if Day.start(of: text) == nil { throw ArgumentError("\(name) needs a day such as 2026-01-31") }
    default: break
    }
  }
}
