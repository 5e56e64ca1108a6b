import Foundation
import Synchronization

@testable import SnapshotStore

/// Processes that exist in a test only.
protocol SimulatedProcesses: Sendable {
  func isRunning(_ number: Int32) -> Bool
}

/// Another file system, observed: every call is recorded with its file, and can be made to fail.
///
/// It works on the real file system as well as on the one in memory, and knows which `fsync` was for the directory.
final class ObservedFileSystem: FileSystem {
  typealias Fault = @Sendable (_ number: Int, _ step: String) -> Int32?

  private struct State {
    var steps: [String] = []
    var open: [OpenFile: String] = [:]
    var locked: Set<OpenFile> = []
    var faults: [String] = []
    var lastNewName = ""
    /// The files in which a journal was begun.
    var journals: Set<OpenFile> = []
  }

  private let base: any FileSystem
  private let fault: Fault
  private let writeLimit: Int
  let process: Int32
  private let processes: (any SimulatedProcesses)?
  private let leftOut: Set<String>
  private let network: String?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - leavingOut: steps that are neither made nor recorded, as if the code had forgotten them. Further ones:
  ///     - `fsync names`: that of a directory behind the rename of a journal; `fsync new journal`: the one before;
  ///     - `one step`: a file is replaced by its removal and a new file;
  ///     - `order`: a journal is removed before its file is replaced.
  ///   - writeLimit: the greatest number of bytes of a `write`.
  ///   - process: the number of the process that has it.
  ///   - processes: those that are running; nil for the real ones.
  ///   - network: the kind of the network file system that it is; nil for that of the other one.
  ///   - fault: the `errno` with which a call fails before it has an effect; calls count from 1.
  init(
    _ base: any FileSystem, leavingOut: Set<String> = [], writeLimit: Int = .max,
    process: Int32 = ProcessInfo.processInfo.processIdentifier, processes: (any SimulatedProcesses)? = nil,
    network: String? = nil, fault: @escaping Fault = { _, _ in nil }
  ) {
    self.network = network
    self.base = base
    self.fault = fault
    self.process = process
    self.processes = processes
    self.writeLimit = writeLimit
    leftOut = leavingOut
  }

  /// Every call so far, for example `fsync temporary`.
  var steps: [String] { state.withLock { $0.steps } }
  /// The calls that were made to fail.
  var faults: [String] { state.withLock { $0.faults } }
  /// The names of open files.
  var open: [String] { state.withLock { $0.open.values.sorted() } }
  /// Whether a file is locked through it.
  var holdsLock: Bool { state.withLock { !$0.locked.isEmpty } }

  var user: UInt32 { base.user }

  func isRunning(_ process: Int32) -> Bool { processes?.isRunning(process) ?? base.isRunning(process) }

  func networkFileSystem(at path: String) -> String? { network ?? base.networkFileSystem(at: path) }

  func resolve(_ path: String) throws(SystemError) -> String {
    try step("resolve") { () throws(SystemError) in try base.resolve(path) }
  }

  func openDirectory(_ path: String) throws(SystemError) -> OpenFile {
    try opened("directory", by: "open directory") { () throws(SystemError) in try base.openDirectory(path) }
  }

  func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try opened("folder", by: "open folder") { () throws(SystemError) in try base.openDirectory(name, in: directory) }
  }

  func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try step("mkdirat") { () throws(SystemError) in try base.makeDirectory(name, in: directory) }
  }

  func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    let label = name.hasSuffix(".lock") ? "lock" : "journal"
    return try opened(label, by: "open \(label)") { () throws(SystemError) in
      try base.openLockFile(name, in: directory)
    }
  }

  func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError) {
    if leftOut.contains("flock \(label(file))") { return }
    try step("flock \(label(file))") { () throws(SystemError) in try base.lock(file, timeLimit: timeLimit) }
    state.withLock { _ = $0.locked.insert(file) }
  }

  func unlock(_ file: OpenFile) {
    state.withLock { _ = $0.locked.remove(file) }
    base.unlock(file)
  }

  func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError) {
    try step("faccessat") { () throws(SystemError) in try base.requireWritable(name, in: directory) }
  }

  func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try opened("target", by: "open target") { () throws(SystemError) in try base.open(name, in: directory) }
  }

  func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    let kind = name.hasSuffix(".lock") ? "lock" : "temporary"
    return try opened(kind, by: "create \(kind)") { () throws(SystemError) in try base.create(name, in: directory) }
  }

  func status(at path: String) throws(SystemError) -> FileStatus {
    try step("stat \(path)") { () throws(SystemError) in try base.status(at: path) }
  }

  func status(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus {
    try step("fstatat") { () throws(SystemError) in try base.status(of: name, in: directory) }
  }

  func status(_ file: OpenFile) throws(SystemError) -> FileStatus {
    try step("fstat \(label(file))") { () throws(SystemError) in try base.status(file) }
  }

  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try step("read \(label(file))") { () throws(SystemError) in try base.read(file, into: buffer) }
  }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    let count = try step("pread \(label(file))") { () throws(SystemError) in
      try base.read(file, into: buffer, at: offset)
    }
    return count
  }

  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    if buffer.starts(with: Array("{\"journal\"".utf8)) { state.withLock { _ = $0.journals.insert(file) } }
    return try step("write \(label(file))") { () throws(SystemError) in
      try base.write(file, UnsafeRawBufferPointer(rebasing: buffer.prefix(writeLimit)))
    }
  }

  func append(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int> {
    try step("write \(label(file))") { () throws(SystemError) in
      try base.append(file, UnsafeRawBufferPointer(rebasing: buffer.prefix(writeLimit)))
    }
  }

  func setAccess(
    _ file: OpenFile, like status: FileStatus, of name: String, in directory: OpenFile, attributes: Bool
  ) throws(SystemError) {
    try step("fchmod \(label(file))") { () throws(SystemError) in
      try base.setAccess(file, like: status, of: name, in: directory, attributes: attributes)
    }
  }

  func write(
    _ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    if leftOut.contains("pwrite \(label(file))") { return buffer.count }
    let bytes = Array(buffer.prefix(writeLimit))
    return try step("pwrite \(label(file))") { () throws(SystemError) in
      var result = Result<Int, SystemError>.success(0)
      bytes.withUnsafeBytes { bytes in
        result = Result { () throws(SystemError) in try base.write(file, bytes, at: offset) }
      }
      return try result.get()
    }
  }

  func syncData(_ file: OpenFile) throws(SystemError) {
    if leftOut.contains("fdatasync \(label(file))") { return }
    try step("fdatasync \(label(file))") { () throws(SystemError) in try base.syncData(file) }
  }

  func sync(_ file: OpenFile) throws(SystemError) {
    if leftOut.contains("fsync \(label(file))") { return }
    if leftOut.contains("fsync new journal"), state.withLock({ $0.journals.contains(file) }) { return }
    if leftOut.contains("fsync names"), label(file) == "directory",
      state.withLock({ $0.lastNewName.hasSuffix(".journal") })
    {
      return
    }
    try step("fsync \(label(file))") { () throws(SystemError) in try base.sync(file) }
  }

  func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError) {
    let isJournal = newName.hasSuffix(".journal")
    if leftOut.contains("order"), !isJournal { try? remove(SideName.journal(of: newName), in: directory) }
    if leftOut.contains("one step"), !isJournal {
      try? remove(newName, in: directory)
      try step("linkat") { () throws(SystemError) in try base.link(name, in: directory, to: newName, in: directory) }
      return try remove(name, in: directory)
    }
    try step("renameat") { () throws(SystemError) in try base.rename(name, to: newName, in: directory) }
    state.withLock { $0.lastNewName = newName }
  }

  func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError) {
    try step("linkat") { () throws(SystemError) in
      try base.link(name, in: directory, to: newName, in: newDirectory)
    }
  }

  func remove(_ name: String, in directory: OpenFile) throws(SystemError) {
    try step("unlinkat") { () throws(SystemError) in try base.remove(name, in: directory) }
  }

  func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try step("rmdir") { () throws(SystemError) in try base.removeDirectory(name, in: directory) }
  }

  func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError) {
    try step("futimens \(label(file))") { () throws(SystemError) in
      try base.setDates(file, created: created, modified: modified)
    }
  }

  func names(in directory: OpenFile) throws(SystemError) -> [String] {
    try step("readdir") { () throws(SystemError) in try base.names(in: directory) }
  }

  func close(_ file: OpenFile) {
    let isOpen = state.withLock { state in
      state.journals.remove(file)
      state.locked.remove(file)
      return state.open.removeValue(forKey: file) != nil
    }
    if isOpen { base.close(file) }
  }

  /// Closes what is open, as the system does when a process ends.
  func closeAll() {
    for file in state.withLock({ Array($0.open.keys) }) { close(file) }
  }

  private func label(_ file: OpenFile) -> String { state.withLock { $0.open[file] } ?? "what is not open" }

  private func opened(
    _ label: String, by name: String, _ body: () throws(SystemError) -> OpenFile
  ) throws(SystemError) -> OpenFile {
    let handle = try step(name, body)
    state.withLock { $0.open[handle] = label }
    return handle
  }

  private func step<Result>(_ name: String, _ body: () throws(SystemError) -> Result) throws(SystemError) -> Result {
    let number = state.withLock { state in
      state.steps.append(name)
      return state.steps.count
    }
    guard let error = fault(number, name) else { return try body() }
    state.withLock { $0.faults.append(name) }
    throw SystemError(call: name, number: error)
  }
}
