import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Stores that share a file, interrupted at every call. In the middle of a call of one, the others make theirs.
struct TogetherTests {
  private typealias Scripts = [[ExplorerStep]]

  private static func mode(_ journal: JournalPolicy, stores: Int = 2, hasKills: Bool = false) -> ExplorerMode {
    ExplorerMode(name: "together", stores: stores, journal: journal, hasKills: hasKills, isContested: true)
  }

  /// What is wrong, and the number of times that a store could have been interrupted.
  private static func run(
    _ scripts: Scripts, _ mode: ExplorerMode, leavingOut: Set<String> = [], isOpenBefore: Bool = false,
    switchingAt canSwitch: @escaping Together.CallFilter = { _, _ in true }, _ choose: @escaping Baton.Choice
  ) -> (problem: String?, steps: Int) {
    do {
      let isTraced = ProcessInfo.processInfo.environment["SNAPSHOT_SEED"] != nil
      let world = ExplorerWorld(mode, leavingOut: leavingOut, trace: isTraced ? { @Sendable in print("  \($0)") } : nil)
      return (nil, try world.runTogether(scripts, isOpenBefore: isOpenBefore, switchingAt: canSwitch, choose))
    } catch {
      return ("\(error)", 0)
    }
  }

  // MARK: At random

  private static func script(_ length: Int, _ random: inout SeededGenerator) -> [ExplorerStep] {
    (0..<length).map { _ in
      let slot = Int.random(in: 0...3, using: &random)
      let value = Int.random(in: 0...999, using: &random)
      return switch Int.random(in: 0..<25, using: &random) {
      case 0...7: .set(slot: slot, to: value)
      case 8...12: .flush
      case 13: .fold
      case 14...15: .look
      case 16: .kill(after: Int.random(in: 1...60, using: &random))
      case 17...18: .reopen
      case 19: .remove(slot: slot)
      case 20: .suspend
      case 21: .setClock(hours: .random(in: -200...200, using: &random))
      case 22...23: .failNext("pwrite", then: Int.random(in: 0...5, using: &random))
      default: .update(slot: 0, to: value)
      }
    }
  }

  /// Steps beside a program without this library, which replaces the file now and then with what it has read before.
  /// The stores stay open. What only the file has is lost with it.
  private static func scriptBesideAnother(_ length: Int, _ random: inout SeededGenerator) -> [ExplorerStep] {
    (0..<length).map { _ in
      let slot = Int.random(in: 0...3, using: &random)
      let value = Int.random(in: 1_000_000...9_999_999, using: &random)
      return switch Int.random(in: 0..<26, using: &random) {
      case 0...7: .set(slot: slot, to: value)
      case 8...13: .flush
      case 14: .fold
      case 15...17: .look
      case 18: .remove(slot: slot)
      case 19: .suspend
      case 20...21: .readFile
      case 22: .setClock(hours: .random(in: -200...200, using: &random))
      case 23: .failNext("pwrite", then: Int.random(in: 0...5, using: &random))
      default: .replaceFile(slot: slot, to: value)
      }
    }
  }

  private func problem(_ seed: UInt64, leavingOut: Set<String> = [], besideOthers: Bool = false) -> String? {
    var random = SeededGenerator(seed: seed)
    let scripts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      let script = besideOthers ? Self.scriptBesideAnother(40, &random) : Self.script(30, &random)
      // After a failure, less is asked of the files that are left.
      return seed.isMultiple(of: 2) ? script.filter { !$0.isFailure } : script
    }
    let journals: [JournalPolicy] = [.none, .beside(), .beside(size: 400)]
    var mode = Self.mode(journals[Int(seed % 3)], stores: scripts.count, hasKills: !besideOthers)
    mode.hasOthers = besideOthers
    let choices = SmallLock(random)
    return Self.run(scripts, mode, leavingOut: leavingOut, isOpenBefore: besideOthers) {
      _, running, others, isBlocked in
      choices.withLock { random in
        isBlocked || Int.random(in: 0..<8, using: &random) == 0 ? others.randomElement(using: &random)! : running
      }
    }.problem
  }

  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 80)))
  func nothingIsLostAndAllAgree(_ seed: UInt64) {
    #expect(problem(seed) == nil, "seed \(seed)")
  }

  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 80)))
  func nothingIsLostBesideAnotherProgram(_ seed: UInt64) {
    #expect(problem(seed, besideOthers: true) == nil, "seed \(seed)")
  }

  /// Steps without which a loss must be found.
  @Test(arguments: ["flock lock", "pwrite lock"])
  func aFlawIsFound(_ step: String) {
    #expect((1...UInt64(60)).contains { problem($0, leavingOut: [step]) != nil }, "\(step)")
  }

  // MARK: Every interruption

  private static let (edit, other) = (ExplorerStep.set(slot: 1, to: 1), ExplorerStep.set(slot: 2, to: 1))
  private static let (add, remove) = (ExplorerStep.set(slot: 0, to: 1), ExplorerStep.remove(slot: 1))
  private static let command = ExplorerStep.update(slot: 0, to: 1)

  private static let edits: [Scripts] = [
    [[edit, .flush, edit, .flush], [edit, .flush]],
    [[add, .flush, .set(slot: 0, to: 2), .flush], [add, .flush]],
    [[edit, .flush, other, .fold], [edit, .fold]],
    [[add, .flush, command], [edit, .flush, .look]],
    [[edit, .flush, .reopen, edit, .flush], [command, command]],
    [[edit, .flush, remove, .flush], [edit, .flush]],
    [[edit, .flush, .suspend, edit, .flush], [edit, .fold]],
  ]

  private static let journals: [JournalPolicy] = [.none, .beside()]

  /// Runs with up to two interruptions, at every call.
  @Test func twoProcessesInEveryOrder() {
    each(Array(Self.edits.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let run = { (switches: Set<Int>) in
        Self.run(Self.edits[index], Self.mode(journal)) { step, running, others, isBlocked in
          isBlocked || switches.contains(step) ? others[0] : running
        }
      }
      let (none, count) = run([])
      #expect(none == nil, "script \(index), \(journal)")
      for first in Proofs.share(of: 0...count, oneIn: 17) {
        let problem = run([first]).problem
        #expect(problem == nil, "script \(index), \(journal), interrupted at \(first)")
        for second in Proofs.extent == .exhaustive ? Array(first + 1...count + 1) : [] {
          #expect(
            run([first, second]).problem == nil, "script \(index), \(journal), interrupted at \(first) and \(second)")
        }
      }
    }
  }

  // MARK: Every order of what another store can notice

  private static let saves: [Scripts] = [
    [[edit, .flush, edit, .flush], [edit, .flush]],
    [[edit, .flush, remove, .flush], [edit, .flush]],
    [[edit, .flush, edit, .fold], [edit, .fold]],
  ]

  /// One of the two reads without the lock.
  private static let looks: [Scripts] = [
    [[edit, .flush, edit, .flush], [.look, edit, .flush]],
    [[edit, .flush, edit, .fold], [edit, .look, .flush]],
    [[edit, .fold], [.look, .look]],
    [[edit, .flush], [command]],
  ]

  private func problem(_ scripts: Scripts, _ journal: JournalPolicy, _ orders: Interleavings) -> String? {
    Self.run(scripts, Self.mode(journal), isOpenBefore: true, switchingAt: orders.canSwitch) {
      _, running, others, isBlocked in orders.choose(running, others[0], isBlocked)
    }.problem
  }

  @Test(.enabled(if: Proofs.areFull)) func everyOrderOfSaves() {
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: false)
      var count = 0
      repeat {
        #expect(problem(Self.saves[index], journal, orders) == nil, "order \(count)")
        count += 1
      } while orders.next()
      // Each of the three saves of the two processes comes first, second or third.
      #expect(count >= 3)
    }
  }

  /// Some of the orders, for a run that does not take all.
  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 1, quick: 6))) func ordersOfSaves(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: false, prefix: (0..<40).map { _ in .random(using: &random) })
      #expect(problem(Self.saves[index], journal, orders) == nil, "seed \(seed)")
    }
  }

  /// A reader asks again and again while the lock is held, so there are too many orders to take all.
  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 4)))
  func ordersBesideAReader(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    each(Array(Self.looks.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: true, prefix: (0..<40).map { _ in .random(using: &random) })
      #expect(problem(Self.looks[index], journal, orders) == nil, "seed \(seed)")
    }
  }

  /// A process is killed at each call of its saves, and the other one goes on.
  @Test func killedAtEveryCall() {
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let count = Self.run(Self.saves[index], journal, killingAt: nil).steps
      for call in Proofs.share(of: 1...count, oneIn: 7) {
        #expect(Self.run(Self.saves[index], journal, killingAt: call).problem == nil, "killed at call \(call)")
      }
    }
  }

  /// - Parameter call: the call of the first process that kills it. The other one goes on then.
  private static func run(
    _ scripts: Scripts, _ journal: JournalPolicy, killingAt call: Int?
  ) -> (problem: String?, steps: Int) {
    let kill = call.map { [ExplorerStep.kill(after: $0 - 1)] } ?? []
    return run([kill + scripts[0], scripts[1]], mode(journal, hasKills: call != nil), isOpenBefore: true) {
      step, running, others, isBlocked in
      isBlocked || call.map { step == $0 + 1 } == true ? others[0] : running
    }
  }
}
