import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The rules of Docs/LOCKS.md. Debug builds check them in every test; here are the checks themselves, and the table.
@Suite(.timeLimit(.minutes(30)))
struct LockTests {
  #if DEBUG
    @Test func aSmallLockUnderAnotherTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let outer = SmallLock(1)
        let inner = SmallLock("a")
        outer.withLock { _ in inner.withLock { $0 = "b" } }
      }
      #expect(
        Self.text(result).contains(
          "the lock of type Swift.String was taken while this thread holds the lock of type Swift.Int."))
    }

    @Test func aSmallLockThatTheThreadHoldsTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = SmallLock(1)
        lock.withLock { _ in lock.withLock { $0 = 2 } }
      }
      #expect(Self.text(result).contains("Take what is needed out of the lock first"))
    }

    @Test func aLongLockUnderASmallOneTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = SmallLock(1)
        let store = Store(Counters())
        try lock.withLock { _ in try store.write { try $0.set(1, to: 1) } }
      }
      #expect(Self.text(result).contains("a writer lock was taken while this thread holds the lock of type Swift.Int."))
    }

    @Test func aSystemCallUnderASmallLockTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = SmallLock(1)
        _ = lock.withLock { _ in try? POSIXFileSystem().openDirectory("/") }
      }
      #expect(Self.text(result).contains("openat was called while this thread holds the lock of type Swift.Int."))
    }

    @Test func aContinuationUnderASmallLockTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = SmallLock(1)
        let ticket = Ticket<Int>()
        lock.withLock { ticket.answer($0) }
      }
      #expect(Self.text(result).contains("a wait was answered while this thread holds the lock of type Swift.Int."))
    }

    @Test func whatIsAllowed() {
      let first = SmallLock(1)
      let second = SmallLock(2)
      // One after the other, also after one whose body throws.
      #expect(first.withLock { $0 } + second.withLock { $0 } == 3)
      #expect(throws: CancellationError.self) { try first.withLock { _ in throw CancellationError() } }
      #expect(second.withLock { $0 } == 2)
      // A lock that is not waited for. The outer one is still known afterwards.
      #expect(first.withLock { _ in second.isFree })
      #expect(first.withLock { _ in first.isFree } == false)
      let isFree = first.isFree
      #expect(isFree)
    }

    private static func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  #endif

  /// The table names every lock that is stored, and no other.
  @Test func theTableNamesEveryLock() throws {
    let rows = try Repository.table(of: "Docs/LOCKS.md", headed: ["lock", "kind", "guards", "under it"])
    let named = rows.map { $0[0].replacing("`", with: "") }
    let stored = Self.sources(with: ["Lock", "pthread_mutex_t"]).flatMap { Self.storedLocks(in: $0.code) }
    #expect(stored.count > 30)
    #expect(Set(stored).subtracting(named) == [], "the table lacks them")
    #expect(Set(named).subtracting(stored) == [], "they are not in the sources")
    #expect(Set(named).count == named.count)
  }

  /// A function that is read from a lock gets a wrapper more each time; see `Callback`.
  @Test func noLockHoldsAFunctionByItself() {
    let declaration = /(?:SmallLock|Mutex)<[^=\n]*->/
    for source in Repository.sources { #expect(source.code.firstMatch(of: declaration) == nil, "\(source.path)") }
  }

  @Test func whatIsAStoredLock() {
    let code = """
      final class A<Value>: B {
        private struct State { var a = 1 }
        private let state = SmallLock(State())
        let other: SmallLock<Value?>
        static let shared = SmallLock(0)
        func f() {
          let local = SmallLock(1)
        }
        struct C {
          let reference: WriterLock
          private let turn = ThreadLock(isRecursive: true)
        }
      }
      extension D {
        enum E { private static let waits = SmallLock<[Int: A]>([:]) }
        private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      }
      """
    #expect(Self.storedLocks(in: code) == ["A.state", "A.other", "A.shared", "C.turn", "E.waits", "D.lock"])
  }

  private static func storedLocks(in code: String) -> [String] {
    let lock = #/(?:[:=]\s*SmallLock[<(]|=\s*(?:ThreadLock|WriterLock|UnsafeMutablePointer<pthread_mutex_t>)[.(])/#
    return Repository.properties(in: code).filter { $0.declaration.contains(lock) }.map(\.name)
  }

  /// The sources of the library with one of these words. To read the properties of all takes seconds in a debug build.
  private static func sources(with words: [String]) -> [Repository.Source] {
    Repository.sources.filter { source in
      source.module.hasPrefix("Snapshot") && words.contains { source.code.contains($0) }
    }
  }

  /// What a process has once stands in the second table. All else is passed in.
  @Test func theTableNamesTheStateOfTheProcess() throws {
    let rows = try Repository.table(of: "Docs/LOCKS.md", headed: ["state", "why once"])
    let named = rows.map { $0[0].replacing("`", with: "") }
    let shared = Self.sources(with: [
      "static let shared", "static var", "SmallLock", "Atomic", "DispatchQueue", ": Void", "pthread_key_t",
    ])
    .flatMap { source in
      source.properties.filter { Self.isStateOfTheProcess($0.declaration, in: source.code) }.map(\.name)
    }
    #expect(Set(shared) == Set(named))
  }

  @Test func whatIsStateOfTheProcess() {
    each([
      ("static var count = 0\n", true), ("private static let count = Atomic(0)\n", true),
      ("static let waits = SmallLock<[Int]>([])\n", true), ("@TaskLocal static var a: A?\n", true),
      ("private static let handlers: Void = {", true), ("static let queue = DispatchQueue()\n", true),
      ("static let shared = A()\n", true), ("static let shared: A = {", true), ("static let shared = B()\n", false),
      ("static var count: Int { 0 }\n", false), ("static let none = A()\n", false), ("let a = Atomic(0)\n", false),
    ]) { (declaration: String, isState: Bool) in
      let code = "final class A {}; struct B { \(declaration)"
      #expect(
        Repository.properties(in: code).contains { Self.isStateOfTheProcess($0.declaration, in: code) } == isState)
    }
  }

  /// Whether a property is of the process and can change. It is a shared object, a variable, a lock or a queue, or it
  /// is done once.
  private static func isStateOfTheProcess(_ declaration: String, in code: String) -> Bool {
    guard declaration.contains(#/\bstatic\b/#) else { return false }
    if let shared = declaration.firstMatch(of: #/\blet shared(?:: (\w+))? = (\w*)/#) {
      return code.contains("final class \(shared.output.1 ?? shared.output.2)")
    }
    return declaration.contains(
      #/@TaskLocal|\bvar \w+(: [^{=]+)? = |= (SmallLock|Atomic)[<(]|\bDispatchQueue\b|: (Void|pthread_key_t) = /#)
  }
}
