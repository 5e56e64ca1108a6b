import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What commands, other programs and the disk do.
extension ExplorerWorld {
  func perform(_ step: ExplorerStep, by party: any ExplorerParty) -> (any Error)? {
    do {
      switch step {
      case .fail(let calls, let count, let isFull):
        let first = disk.calls.count
        plan.withLock { plan in
          for index in 1...count { plan.failing[first + calls * index] = isFull ? ENOSPC : EIO }
        }
      case .fill(let calls, let count):
        let first = disk.calls.count + calls
        plan.withLock { $0.full = first..<first + count }
      case .failNext(let call, let more): plan.withLock { $0.failingNext = (call, more) }
      case .loseLockFile: disk["/dir/.store.json.lock"] = nil
      case .protect(let isProtected):
        if disk[Self.path] != nil { disk.setMode(isProtected ? 0o400 : 0o600, of: Self.path) }
      case .copyFile: if let bytes = disk[Self.path] { disk[Self.path] = bytes }
      case .moveFolder: disk.replaceDirectory("/dir", moving: "/moved \(disk.directories.count)")
      case .readFile: readByOther = disk[Self.path]
      case .replaceFile(let slot, let value): try replaceFile(modelOfOthers, id(slot, of: mode.stores + 1), value)
      case .update(let slot, let value): try update(modelOfOthers, slot * classes + mode.stores, value, party.number)
      case .migrate: try migrate(modelOfOthers)
      case .foldCommand:
        let session = try FileSession(at: Self.path, on: disk, lockTimeLimit: .zero)
        defer { session.close() }
        try session.foldJournal(ReadLimits(), date: Date(timeIntervalSinceReferenceDate: 0))
      case .restore: try restore(modelOfOthers)
      case .allLook:
        for party in parties {
          actor = party.number
          try? party.perform(.look)
          party.goOn()
        }
      case .readerLooks:
        if reader == nil { reader = try openReader(mode.newestModel) }
        reader?.checkFileAndWait()
      default:
        try party.perform(step)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Starts a newer version of a program.
  func upgrade(_ number: Int) -> (any Error)? {
    // Without a version in the file, the programs of before are all stopped first.
    for number in mode.programs == .renamingSingle ? Array(parties.indices) : [number] {
      parties[number] = parties[number].upgraded()
    }
    return nil
  }

  /// The model of commands and of the other program.
  private var modelOfOthers: any ExplorerModel.Type {
    mode.programs == .renamingSingle ? parties[0].model : mode.newestModel
  }

  /// Another program reads the file without the journal, changes a record of its own, and replaces the file.
  private func replaceFile<Root: ExplorerModel>(_ type: Root.Type, _ id: Int, _ value: Int?) throws {
    guard let bytes = readByOther ?? disk[Self.path] else { return }
    var theirs = try SnapshotFile.decode(type, from: bytes)
    let before = contested(theirs.numbers)
    try theirs.put(id, value.map { isContested(id) ? marks.next() : $0 })
    let after = contested(theirs.numbers)
    if before[id] != after[id] {
      let mark = marks.note(id, from: before[id], to: after[id])
      // Nobody can tell a removal from a file that was made before the record.
      if after[id] != nil { marks.acknowledge(id, mark) }
    }
    told.formUnion((try? numbersBeforeMark()) ?? [])
    disk[Self.path] = try SnapshotFile.encode(theirs, as: .json)
    if readByOther != nil { readByOther = disk[Self.path] }
    others[1] = [own(mode.stores + 1, theirs.numbers)]
    isReplaced = true
  }

  /// The records in the lines of a journal with a mark; none without a mark.
  ///
  /// Another program may replace the file that the mark names before a journal is begun on it. Then nobody can tell
  /// whether that file was ever in place. The lines are kept rather than lost.
  private func numbersBeforeMark() throws -> [Int] {
    let content = try disk.readJournaled(at: FileLocation(Self.path, on: disk), limit: .max)
    guard try content.readJournal(ReadLimits())?.isMarked == true, let bytes = content.journal?.bytes else { return [] }
    return String(decoding: bytes, as: UTF8.self).matches(of: /"id":"?(\d+)/).compactMap { Int($0.1) }
  }

  private func update<Root: ExplorerModel>(_ type: Root.Type, _ id: Int, _ value: Int, _ number: Int) throws {
    var made: [Int: Int] = [:]
    // Its calls are those of the party's thread.
    let fileSystem = ObservedFileSystem(disk, process: startProcess(), processes: self) { [unowned self] _, call in
      letOthersRun(number, call, false)
      return nil
    }
    defer { endProcess(fileSystem.process) }
    do {
      try Store<Root>.update(
        at: Self.url, options: options(access: .exclusive), waitingAtMost: .zero, fileSystem: fileSystem,
        scheduler: ManualScheduler()
      ) { root in
        try root.put(id, value)
        made = own(mode.stores, root.numbers)
      }
      others[0] = [made]
    } catch let error as SnapshotError where error.code == .indeterminate {
      // The new file is there, and a power cut may bring the old one back.
      others[0].append(made)
      throw error
    }
  }

  private func migrate<Root: ExplorerModel>(_ type: Root.Type) throws {
    _ = try SnapshotFile.migrate(type, at: Self.path, StoreFileOptions(fileSystem: disk))
  }

  /// Puts the newest generation in place, if nothing is unsaved and each store takes it in at once.
  private func restore<Root: ExplorerModel>(_ type: Root.Type) throws {
    let location = try FileLocation(Self.path, on: disk)
    guard let newest = try GenerationFolder(fileSystem: disk, location: location).generations().first,
      parties.allSatisfy({ $0.isClean })
    else { return }
    // What another store saves in the middle would be there for a moment only.
    interruption = nil
    let older = try SnapshotFile.decode(type, from: disk[newest.url.path(percentEncoded: false)] ?? [])
    // Until all have it, it is open which of the two is on the disk.
    for party in parties { party.isUncertain = true }
    for index in 0...1 { others[index].append(own(mode.stores + index, older.numbers)) }
    let replacement = KeepingReplacement<Root>(path: Self.path, lockTimeLimit: .zero, fileSystem: disk)
    _ = try replacement.run { folder throws(SnapshotError) in
      let bytes = try folder.bytes(of: newest, ReadLimits())
      return { _ in bytes }
    }
    others = (0...1).map { [own(mode.stores + $0, older.numbers)] }
    // Another store may have looked meanwhile.
    for party in parties { party.isUncertain = true }
    for party in parties { try? party.perform(.look) }
  }
}
