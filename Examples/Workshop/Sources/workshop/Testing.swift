import Foundation
import SnapshotStore
import SnapshotStoreTesting
import WorkshopModel

/// A file beside the tests is copied into memory, and stays as it is.
func fixtures(in folder: URL) throws {
  print("Fixtures")
  let url = folder.appending(path: "workshop.json")
  try SnapshotFile.write(SnapshotFile.encode(Workshop.sample(), as: .json), to: url)
  let store = try Store<Workshop>(fixture: url)
  try store.write { try $0.pieces.update("K-1") { $0.name = "Bowl" } }
  do {
    try verify(store, matches: url)
  } catch {
    print("  differs:", "\(error)".split(separator: "\n").first { $0.contains("K-1") } ?? "–")
  }
  try store.write { try $0.pieces.update("K-1") { $0.name = "Tea bowl" } }
  try verify(store, matches: url)
  print("  the same again")
}

/// The disk crashes at each call in turn. Whatever was flushed is there at the next launch.
func crash() async throws {
  print("Crashes")
  let url = URL(filePath: "/workshop.json")
  var options = StoreOptions(policy: .manual)
  // After a crash it is expected that the last changes were not saved.
  options.log = { _ in }
  var (crashes, states) = (0, 0)
  for disk in SimulatedDisk.crashingAtEveryCall() {
    // What was flushed, and what the program had reached when the disk crashed.
    var (flushed, reached) = (Workshop(), Workshop())
    do {
      let store = try Store<Workshop>.open(at: url, options: options, on: disk)
      for number in 1...3 {
        try store.write { try $0.pieces.insert(Piece("K-\(number)", "Cup", height: 8, width: 8, at: .day(number))) }
        reached = store.snapshot().value
        try await store.flush()
        flushed = reached
      }
      try await store.close()
    } catch {
      crashes += 1
    }
    for state in disk.possibleStatesAfterCrash() {
      // Without a file the next launch begins with an empty workshop.
      let found =
        try state[url].map { _ in try Store<Workshop>.open(at: url, on: state).snapshot().value } ?? Workshop()
      let isWhole = [flushed, reached].contains { $0.pieces == found.pieces }
      guard isWhole, found.allViolations().isEmpty else { fatalError("a piece is lost") }
      states += 1
    }
  }
  guard crashes > 20, states > crashes else { fatalError("the disk did not crash") }
  print("  after a crash at any call, all flushed pieces are there, and none is half there")
}
