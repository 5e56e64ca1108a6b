@testable import SnapshotStore
@testable import TestSupport

/// A process with a store.
protocol ExplorerParty: AnyObject {
  var number: Int { get }
  /// The possible contents of its records on the disk. The first is what was acknowledged last.
  var states: [[Int: Int]] { get }
  /// Whether a restore has left it open what is on the disk.
  var isUncertain: Bool { get set }
  var isClean: Bool { get }
  var isOpen: Bool { get }
  /// Whether its process was killed in its last step.
  var wasKilled: Bool { get }
  var model: any ExplorerModel.Type { get }
  /// What its store holds, in the form of the model.
  var numbers: [Int: Int] { get }
  /// The records that were saved, or may have been, and are not in the value with which its store was opened. A store
  /// that is opened while another has the lock reads what the lock file tells of. Writing that may have failed, and its
  /// process may have been killed before.
  var unseen: Set<Int> { get }
  /// Throws if its records are not as it has left them. Nobody else changes them.
  func requireOwnRecords() throws
  /// What is wrong with its value; nil if nothing is.
  var violation: String? { get }
  func open() throws
  func perform(_ step: ExplorerStep) throws
  /// Lets its threads wait for the one that is in the middle of a step.
  func whileBusy(_ body: () -> Void)
  /// Lets them go on.
  func goOn()
  /// The same process with a newer version of its program.
  func upgraded() -> any ExplorerParty
  /// Ends all stores, the killed ones too.
  func endAll()
}

/// A store that only reads.
protocol ExplorerReader {
  var numbers: [Int: Int] { get }
  func checkFileAndWait()
}

extension Store: ExplorerReader where Root: ExplorerModel {
  var numbers: [Int: Int] { read { $0.numbers } }
}
