@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// One run: a mode and its steps. The same steps give the same run.
struct ExplorerRun {
  let mode: ExplorerMode
  private(set) var steps: [(party: Int, step: ExplorerStep)]
  private var cut: Int

  init(_ mode: ExplorerMode, seed: UInt64) {
    self.mode = mode
    steps = []
    var dice = ExplorerDice(mode, seed: seed)
    while steps.count < mode.steps {
      let party = dice.party()
      let step = dice.step(by: party)
      steps.append((party, step))
      // A program that is started on the file of another one may save before others have seen that.
      if case .replaceFile = step, dice.bool() {
        let party = dice.party()
        steps += [.reopen, dice.change(by: party), .flush, dice.change(by: party)].map { (party, $0) }
      }
      // In a save it is worth more than elsewhere, and then what follows such a save.
      guard step.isForNext, dice.bool() else { continue }
      // The value in memory may be that of the file again, beside a journal that has another one.
      if dice.bool() {
        let before = dice.thereAndBack(by: party).map { (party, $0) }
        steps.insert(contentsOf: before, at: steps.count - 1)
      }
      steps.append((party, dice.bool() ? .fold : .flush))
      if dice.bool() { steps += [(party, dice.change(by: party)), (party, .flush)] }
    }
    cut = dice.number(0...steps.count - 1)
  }

  /// What is wrong, and the number of faults that have struck.
  func problem(
    leavingOut: Set<String> = [], trace: ExplorerWorld.Trace? = nil
  ) -> (problem: String?, faults: Int) {
    let world = ExplorerWorld(mode, leavingOut: leavingOut, trace: trace)
    do {
      try world.run(steps, cut: cut)
      return (nil, world.struck.count)
    } catch {
      return ("\(error); struck: \(world.struck)", world.struck.count)
    }
  }

  /// The same run without failures of calls and ends of processes.
  var withoutFailures: ExplorerRun {
    var run = self
    run.steps.removeAll { $0.step.isFailure }
    return run
  }

  /// The ways in which the states of files follow each other in it.
  func transitions() throws -> Set<FileTransition> {
    let world = ExplorerWorld(mode)
    try world.run(steps, cut: -1)
    return world.transitions
  }

  /// The same run without the steps that the problem does not need.
  func shrunk() -> ExplorerRun {
    var run = self
    var size = run.steps.count / 2
    while size > 0 {
      var start = 0
      while start < run.steps.count {
        var shorter = run
        let end = min(start + size, run.steps.count)
        shorter.steps.removeSubrange(start..<end)
        // The power is cut behind the same step.
        if run.cut >= end { shorter.cut -= end - start } else if run.cut >= start { shorter.cut = -1 }
        if shorter.problem().problem != nil { run = shorter } else { start = end }
      }
      size /= 2
    }
    return run
  }

  /// The steps, and what is wrong after them.
  var text: String {
    let lines = steps.enumerated().map {
      "  \($0.element.party): \($0.element.step)\($0.offset == cut ? ", power cut" : "")"
    }
    return "shrunk to \(steps.count) steps:\n\(lines.joined(separator: "\n"))\n  \(problem().problem ?? "passes now")"
  }
}
