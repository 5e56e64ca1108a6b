import Foundation
import SnapshotNotebook
import SnapshotStore

/// Saving again after a change of one note.
func resaveRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "resave-one.cpu", "Processor time of a save after one note was changed, against a save after all were.",
      unit: .milliseconds, peer: "a save of all notes", target: 10, mostRounds: 3, measure: resaveProcessorTime),
    BenchmarkRow(
      "resave-one.vs-write", "A whole save after one change, against writing the same bytes to the disk.",
      unit: .milliseconds, peer: "write, fsync, rename, fsync", target: 0.7, mostRounds: 3,
      measure: resaveWallTime),
  ]
}

private func resaveProcessorTime(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = try savedStore(work)
  var ids = work.randomIDs(rounds, purpose: 1)
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    try changeOne(in: store, ids.removeLast())
    return try processorSeconds { try store.flushAndWait() }
  } peer: {
    number += 1
    try store.write { notebook in
      for note in work.notes { try notebook.setText("\(number) " + note.text, of: note.id) }
    }
    return try processorSeconds { try store.flushAndWait() }
  }
  try store.closeAndWait()
  return measurement
}

private func resaveWallTime(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = try savedStore(work)
  guard let url = store.url else { throw BenchmarkFailure("the store has no file") }
  var ids = work.randomIDs(rounds, purpose: 2)
  let measurement = try alternating(rounds: rounds) {
    try changeOne(in: store, ids.removeLast())
    return try seconds { try store.flushAndWait() }
  } peer: {
    let bytes = try SnapshotFile.readBytes(at: url)
    return try seconds { try rawReplace(bytes, at: work.folder.appendingPathComponent("raw.json"), in: work.folder) }
  }
  try store.closeAndWait()
  return measurement
}

/// A store that has saved its file itself, so it may know the content.
private func savedStore(_ work: Workload) throws -> Store<Notebook> {
  let file = try work.copy(of: work.file(.json))
  let store = try Store<Notebook>.open(at: file, options: StoreOptions(policy: .manual))
  try changeOne(in: store, work.notes[0].id)
  try store.flushAndWait()
  return store
}

private func changeOne(in store: Store<Notebook>, _ id: Note.ID) throws {
  try store.write { notebook in
    let text = notebook.notes[id]?.text ?? ""
    try notebook.setText(text + " and more", of: id)
  }
}

/// The least that any atomic and durable save must do: a new file, synced, renamed, and its directory synced.
private func rawReplace(_ bytes: [UInt8], at url: URL, in folder: URL) throws {
  let temporary = url.path + ".tmp"
  let file = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw BenchmarkFailure("cannot make \(temporary)") }
  let chunk = 1 << 20
  for start in stride(from: 0, to: bytes.count, by: chunk) {
    let piece = bytes[start..<min(start + chunk, bytes.count)]
    let written = piece.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == piece.count else { throw BenchmarkFailure("cannot write \(temporary)") }
  }
  guard fsync(file) == 0, close(file) == 0, rename(temporary, url.path) == 0 else {
    throw BenchmarkFailure("cannot sync or rename \(temporary)")
  }
  let directory = Foundation.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard directory >= 0, fsync(directory) == 0, close(directory) == 0 else {
    throw BenchmarkFailure("cannot sync \(folder.path)")
  }
}
