@testable import TestSupport

/// Chooses the steps of a run at random.
///
/// A loss takes a few steps that follow each other. So each run leaves out most kinds of steps, or half of
/// them. It has few records with few values, so that changes are reverted, and one kind of call that fails.
struct ExplorerDice {
  private let mode: ExplorerMode
  private var random: SeededGenerator
  private let slots: Int
  /// A bit for each kind that is left out.
  private let leftOut: UInt64
  /// Whether the kinds are equally frequent.
  private let isEven: Bool
  private let failingCall: String
  /// The values that the records of each store were set to last.
  private var values: [[Int: Int]]

  init(_ mode: ExplorerMode, seed: UInt64) {
    self.mode = mode
    random = SeededGenerator(seed: seed)
    slots = mode.slots == 3 ? .random(in: mode.isContested ? 2...3 : 1...3, using: &random) : mode.slots
    leftOut = random.next() | (Bool.random(using: &random) ? random.next() : 0)
    isEven = .random(using: &random)
    let calls = ["renameat", "fsync", "fsync of a name", "fdatasync", "pwrite"]
    failingCall = calls.randomElement(using: &random) ?? ""
    values = Array(repeating: [:], count: mode.stores)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  mutating func party() -> Int { number(0...mode.stores - 1) }
  mutating func bool() -> Bool { .random(using: &random) }

  /// A change of one record.
  mutating func change(by party: Int) -> ExplorerStep {
    let slot = number(0...slots - 1)
    return number(0...2) == 0 ? .remove(slot: slot) : noted(.set(slot: slot, to: value(of: slot, party)), party)
  }

  /// A change that is saved, and the way back.
  mutating func thereAndBack(by party: Int) -> [ExplorerStep] {
    let slot = number(0...slots - 1)
    guard let value = values[party][slot] else { return [.set(slot: slot, to: 1), .flush, .remove(slot: slot)] }
    return [.set(slot: slot, to: 1 - value % 2), .flush, .set(slot: slot, to: value)]
  }

  /// Mostly another value than the one before.
  private mutating func value(of slot: Int, _ party: Int) -> Int {
    if mode.slots > 3 { return number(0...999) }
    return number(0...3) == 0 ? number(0...1) : 1 - (values[party][slot] ?? 1)
  }

  private mutating func noted(_ step: ExplorerStep, _ party: Int) -> ExplorerStep {
    switch step {
    case .set(let slot, let value), .commit(let slot, let value), .perform(let slot, let value):
      values[party][slot] = value
    default: break
    }
    return step
  }

  /// A step of any kind.
  mutating func step(by party: Int) -> ExplorerStep {
    let all = choices(party)
    // Without changes and saves, nothing can be lost.
    let some = all.enumerated().filter { index, choice in
      switch choice.1 {
      case .set, .flush: true
      default: leftOut >> index & 1 == 0
      }
    }.map { (isEven ? 1 : $0.element.0, $0.element.1) }
    var place = number(0...some.reduce(-1) { $0 + $1.0 })
    for (weight, step) in some {
      place -= weight
      if place < 0 { return noted(step, party) }
    }
    return .flush
  }

  /// All kinds of steps, with their weights.
  private mutating func choices(_ party: Int) -> [(Int, ExplorerStep)] {
    let slot = number(0...slots - 1)
    let value = value(of: slot, party)
    var choices: [(Int, ExplorerStep)] = [
      (20, .set(slot: slot, to: value)), (9, .remove(slot: slot)), (4, .removeAll), (3, .commit(slot: slot, to: value)),
      (3, .perform(slot: slot, to: value)), (3, .undo), (1, .redo), (18, .flush), (9, .fold), (9, .look),
      (5, .wait(seconds: [1, 5, 90].randomElement(using: &random) ?? 1)), (5, .suspend), (7, .reopen), (1, .abandon),
    ]
    if mode.stores > 1 {
      choices += [
        (5, .interrupt(after: number(1...25), slot: slot, to: value)), (6, .allLook),
        (4, .openInside(after: number(1...25), slot: slot, to: value)),
        (1, .foldOften(slot: slot, times: number(33...40))),
      ]
    }
    if mode.hasClockJumps { choices.append((5, .setClock(hours: number(-100_000...100_000)))) }
    if mode.hasKills { choices.append((4, .kill(after: number(0...40)))) }
    if mode.hasCommands {
      choices += [
        (3, .update(slot: slot, to: value)), (2, .foldCommand), (1, .restore), (2, .protect(bool())),
      ]
    }
    if mode.hasReader { choices.append((4, .readerLooks)) }
    if mode.losesLockFile { choices.append((3, .loseLockFile)) }
    if mode.hasMoves { choices.append((3, .moveFolder)) }
    if mode.programs == .upgraded { choices += [(2, .upgrade), (1, .migrate)] }
    if mode.programs == .renamingSingle { choices.append((2, .upgrade)) }
    if mode.hasOthers {
      choices += [(6, .replaceFile(slot: slot, to: number(0...3) == 0 ? nil : value)), (2, .copyFile)]
    }
    if mode.hasFaults {
      let count = [1, 1, 2, 3].randomElement(using: &random) ?? 1
      let more = [0, 0, 0, 1, 2].randomElement(using: &random) ?? 0
      choices += [
        (6, .fail(after: number(1...25), count: count, isFull: bool())),
        (3, .failNext(failingCall, then: more)),
        (1, .fill(after: number(1...20), count: number(5...60))),
      ]
    }
    return choices
  }
}
