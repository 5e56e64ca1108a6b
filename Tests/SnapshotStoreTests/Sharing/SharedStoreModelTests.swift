import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Processes that share a file, interrupted at every call.
struct SharedStoreModelTests {
  /// Runs the scripts, lets all come to rest, and returns what is wrong then.
  static func run(
    _ scripts: [[SharedWorld.Step]], journal: JournalPolicy, leavingOut: Set<String> = [], isOpenBefore: Bool = false,
    switchingAt canSwitch: @escaping SharedProcess.CallFilter = { _, _ in true }, _ choose: @escaping Baton.Choice
  ) -> (problems: [String], steps: Int) {
    let world = SharedWorld(journal: journal, leavingOut: leavingOut)
    let baton = Baton(scripts.count, choose)
    let processes = scripts.indices.map { SharedProcess($0, in: world, baton, canSwitch) }
    if isOpenBefore { for process in processes { process.begin() } }
    baton.run { index in
      for step in scripts[index] { processes[index].perform(step) }
    }
    let steps = baton.steps
    // The first round writes what is left, the second one reads it. Without a proof there may be something to merge.
    for _ in 0..<(world.mayLeaveLines ? 3 : 2) { for process in processes { process.rest() } }
    do {
      let stored = try world.stored()
      for process in processes where process.store?.read({ $0 }) != stored {
        let value = process.store?.read { $0.left.map { "\($0.id)=\($0.value)" } } ?? []
        let other = stored.left.map { "\($0.id)=\($0.value)" }
        world.fail(
          "process \(process.number) has \(Set(value).subtracting(other)) where the file has \(Set(other).subtracting(value))"
        )
      }
      try world.checkSavedMarks()
      for process in processes { try process.store?.closeAndWait() }
      if try world.stored() != stored { world.fail("the end has changed the file") }
      let hidden = world.disk.paths.filter { $0.hasSuffix(".journal") || $0.hasSuffix(".lock") }
      if !hidden.isEmpty, !world.mayLeaveLines { world.fail("left at the end: \(hidden)") }
    } catch {
      world.fail("\(error)")
    }
    return (world.problems, steps)
  }

  static func script(_ length: Int, _ random: inout SeededGenerator) -> [SharedWorld.Step] {
    (0..<length).map { _ in
      switch Int.random(in: 0..<25, using: &random) {
      case 0...3: .add
      case 4...7: .edit(Int.random(in: 1...3, using: &random))
      case 8...12: .flush
      case 13: .fold
      case 14...15: .look
      case 16: .kill(after: Int.random(in: 1...60, using: &random))
      case 17: .reopen
      case 18: .update
      case 19: .remove(Int.random(in: 1...3, using: &random))
      case 20: .suspend(flushing: .random(using: &random))
      case 21: .setClock(hours: .random(in: -200...200, using: &random))
      case 22...23: .failNotes(Int.random(in: 1...6, using: &random))
      default: .openAlone
      }
    }
  }

  /// Steps beside a program without this library, which replaces the file now and then. The stores stay open. What only
  /// the file has is lost with it.
  static func scriptBesideAnother(_ length: Int, _ random: inout SeededGenerator) -> [SharedWorld.Step] {
    (0..<length).map { _ in
      switch Int.random(in: 0..<26, using: &random) {
      case 0...3: .add
      case 4...7: .edit(Int.random(in: 1...3, using: &random))
      case 8...13: .flush
      case 14: .fold
      case 15...17: .look
      case 18: .remove(Int.random(in: 1...3, using: &random))
      case 19: .suspend(flushing: .random(using: &random))
      case 20...21: .readAsOther
      case 22: .setClock(hours: .random(in: -200...200, using: &random))
      case 23: .failNotes(Int.random(in: 1...6, using: &random))
      default: .replaceAsOther(Int.random(in: 1...3, using: &random))
      }
    }
  }

  /// A run with random scripts and interruptions.
  private func problems(_ seed: UInt64, leavingOut: Set<String> = [], besideOthers: Bool = false) -> [String] {
    var random = SeededGenerator(seed: seed)
    let scripts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      besideOthers ? Self.scriptBesideAnother(40, &random) : Self.script(30, &random)
    }
    let journals: [JournalPolicy] = [.none, .beside(), .beside(size: 400)]
    let choices = SmallLock(random)
    return Self.run(scripts, journal: journals[Int(seed % 3)], leavingOut: leavingOut, isOpenBefore: besideOthers) {
      _, running, others, isBlocked in
      choices.withLock { random in
        isBlocked || Int.random(in: 0..<8, using: &random) == 0 ? others.randomElement(using: &random)! : running
      }
    }.problems
  }

  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 80)))
  func nothingIsLostAndAllAgree(_ seed: UInt64) {
    #expect(problems(seed) == [], "seed \(seed)")
  }

  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 80)))
  func nothingIsLostBesideAnotherProgram(_ seed: UInt64) {
    #expect(problems(seed, besideOthers: true) == [], "seed \(seed)")
  }

  /// Steps without which the model must find a loss.
  @Test(arguments: ["flock lock", "pwrite lock"])
  func aFlawIsFound(_ step: String) {
    #expect((1...UInt64(60)).contains { !problems($0, leavingOut: [step]).isEmpty }, "\(step)")
  }

  // MARK: Every interruption

  private static let edits: [[[SharedWorld.Step]]] = [
    [[.edit(1), .flush, .edit(1), .flush], [.edit(1), .flush]],
    [[.add, .flush, .add, .flush], [.add, .flush]],
    [[.edit(1), .flush, .edit(2), .fold], [.edit(1), .fold]],
    [[.add, .flush, .update], [.edit(1), .flush, .look]],
    [[.edit(1), .flush, .reopen, .edit(1), .flush], [.openAlone]],
    [[.edit(1), .flush, .remove(1), .flush], [.edit(1), .flush]],
    [[.edit(1), .suspend(flushing: true), .edit(1), .flush], [.edit(1), .fold]],
  ]

  /// Runs with up to two interruptions, at every call.
  @Test func twoProcessesInEveryOrder() {
    let journals: [JournalPolicy] = [.none, .beside()]
    each(Array(Self.edits.indices), journals) { (index: Int, journal: JournalPolicy) in
      let scripts = Self.edits[index]
      let run = { (switches: Set<Int>) in
        Self.run(scripts, journal: journal) { step, running, others, isBlocked in
          isBlocked || switches.contains(step) ? others[0] : running
        }
      }
      let count = run([]).steps
      for first in Proofs.share(of: 0...count, oneIn: 17) {
        let problems = run([first]).problems
        #expect(problems == [], "script \(index), \(journal), interrupted at \(first)")
        for second in Proofs.extent == .exhaustive ? Array(first + 1...count + 1) : [] {
          #expect(
            run([first, second]).problems == [], "script \(index), \(journal), interrupted at \(first) and \(second)")
        }
      }
    }
  }
}
