/// The arguments before an unfinished word. What is unknown is skipped.
struct PartialArguments {
  let forms: [CommandForm]
  private(set) var operands: [String] = []
  /// The values by the long names of options.
  private(set) var given: [String: [String]] = [:]
  /// The option that still needs a value.
  private(set) var pending: Parameter?
  /// Whether `--` stands before the word.
  private(set) var hasEndedOptions = false

  init(_ arguments: [String], _ forms: [CommandForm]) {
    self.forms = forms
    for argument in arguments {
      if let option = pending {
        given[option.name, default: []].append(argument)
        pending = nil
      } else if hasEndedOptions || !ArgumentScan.looksLikeOption(argument) {
        operands.append(argument)
      } else if argument == "--" {
        hasEndedOptions = true
      } else {
        let (name, value) = ArgumentScan.parts(of: argument)
        guard let option = self.option(name) else { continue }
        if option.form == .option, value == nil {
          pending = option
        } else {
          given[option.name, default: []].append(value ?? "")
        }
      }
    }
  }

  func option(_ name: String) -> Parameter? { forms.lazy.compactMap { $0.option(name) }.first }

  /// The forms that the arguments may become, each with the place of the word.
  ///
  /// - Parameters:
  ///   - hasStore: whether `--store` or the environment names a store.
  ///   - areFlagsOpen: whether the flags that a form requires may still follow.
  func places(hasStore: Bool, areFlagsOpen: Bool = false) -> [FormPlace] {
    let isNamed = given[Parameter.storeOption] != nil
    var places: [FormPlace] = []
    for form in forms {
      let hasOperand = form.operands.contains(where: \.isStore)
      if !isNamed || !hasOperand { places.append(FormPlace(form, operands, isStoreElsewhere: false)) }
      if hasOperand, hasStore { places.append(FormPlace(form, operands, isStoreElsewhere: true)) }
    }
    let options = given
    return places.filter { place in
      place.isPossible && options.keys.allSatisfy { place.form.option($0) != nil }
        && place.form.options.allSatisfy {
          areFlagsOpen || $0.form != .flag || !$0.isRequired || options[$0.name] != nil
        }
    }
  }
}

/// The place of an unfinished operand in a form of a command.
struct FormPlace {
  let form: CommandForm
  private let expected: [Parameter]
  private let operands: [String]

  init(_ form: CommandForm, _ operands: [String], isStoreElsewhere: Bool) {
    self.form = form
    self.operands = operands
    expected = form.operands(withoutStore: isStoreElsewhere)
  }

  /// Whether the operands so far fit the form.
  var isPossible: Bool {
    operands.indices.allSatisfy { index in
      guard let parameter = parameter(at: index) else { return false }
      return parameter.value.choices?.contains { $0.value == operands[index] } ?? true
    }
  }

  /// The parameter of the unfinished operand; nil if all are given.
  var next: Parameter? { parameter(at: operands.count) }

  /// The store among the operands.
  var store: String? { operand { $0.isStore } }

  /// The table among the operands.
  var table: String? { operand { if case .table = $0.value { true } else { false } } }

  private func operand(_ isIt: (Parameter) -> Bool) -> String? {
    operands.indices.first { parameter(at: $0).map(isIt) ?? false }.map { operands[$0] }
  }

  private func parameter(at index: Int) -> Parameter? {
    if index < expected.count { return expected[index] }
    return expected.last.flatMap { $0.isRepeated ? $0 : nil }
  }
}
