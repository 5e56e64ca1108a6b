import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Small files that would expand to more than a machine holds. Each is opened in a process of its own with limited
/// memory and time.
@Suite struct BombTests {
  /// A list whose containers contain the next one twice: 162 bytes of it kept Foundation busy for ever.
  @Test func sharedChildren() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      for (isArray, fan) in Proofs.share(of: [(true, 2), (false, 10)], oneIn: 2) {
        var list = BinaryList()
        let keys = (0..<fan).map { list.text("\($0)") }
        var inner = list.text("x")
        for _ in 0..<55 {
          let children = Array(repeating: inner, count: fan)
          inner = isArray ? list.array(children) : list.dictionary(Array(zip(keys, children)))
        }
        try refuse(list.document(inner))
      }
    }
  }

  /// A long array of one long array.
  @Test func wideSharing() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      var list = BinaryList()
      var inner = list.text("x")
      for _ in 0..<5 { inner = list.array(Array(repeating: inner, count: 20_000)) }
      try refuse(list.document(inner))
    }
  }

  /// One long key in very many dictionaries: 1.4 MB of file, 8 GB of texts if each is made separately.
  @Test func aLongKeyInManyDictionaries() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      var list = BinaryList()
      let (key, value) = (list.text(String(repeating: "k", count: 200_000)), list.text("x"))
      let children = (0..<40_000).map { _ in list.dictionary([(key, value)]) }
      try refuse(list.document(list.array(children)))
    }
  }

  /// One long key as every key of one dictionary: refused as a duplicate, but not after 8 GB.
  @Test func aLongKeyAsEveryKeyOfADictionary() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      var list = BinaryList()
      let (key, value) = (list.text(String(repeating: "k", count: 200_000)), list.text("x"))
      try refuse(list.document(list.dictionary(Array(repeating: (key, value), count: 40_000))))
    }
  }

  /// Long keys that differ only at their ends, in very many dictionaries: comparing each with each every time would
  /// take long.
  @Test func longKeysThatAreAlike() async {
    await #expect(processExitsWith: .success) {
      limitResources(seconds: 20)
      var list = BinaryList()
      let text = list.text("x")
      let keys = (0..<16).map { number in
        // Cyrillic, for which Swift has no fast comparison.
        let units: [UInt8] = (0..<20_000).flatMap { _ in [0x04, 0x10] as [UInt8] }
        return list.add(BinaryList.marker(0x60, count: 20_001) + units + [0x04, 0x10 + UInt8(number)])
      }
      let children = (0..<10_000).map { _ in list.dictionary(keys.map { ($0, text) }) }
      try refuse(list.document(list.array(children)))
    }
  }

  /// One long text as the name of very many tags: 1.4 MB of file, which would be 5 GB when it is saved again.
  @Test func aLongTextInManyRecords() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      for marker: UInt8 in [0x40, 0x50] {
        var list = BinaryList()
        let long = list.add(BinaryList.marker(marker, count: 250_000) + Array(repeating: 0x61, count: 250_000))
        let (id, name) = (list.text("id"), list.text("name"))
        let tags = (0..<20_000).map { number in
          let text = list.text("\(number)")
          return list.dictionary([(id, text), (name, long)])
        }
        let top = list.dictionary([
          (list.text("snapshot"), list.header()), (list.text("tags"), list.array(tags)),
        ])
        try refuse(list.bytes(top: top))
      }
    }
  }

  /// False counts must not allocate memory.
  @Test func countsThatLie() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      for marker: UInt8 in [0x4F, 0x5F, 0x6F, 0xAF, 0xDF] {
        for count: UInt64 in [1 << 33, 1 << 40, 1 << 60, 1 << 63 - 1, 1 << 63, .max] {
          var list = BinaryList()
          try refuse(list.document(list.add([marker, 0x13] + BinaryList.bigEndian(count, width: 8))))
        }
      }
    }
  }

  /// "A billion laughs", which nothing here would expand.
  @Test func entities() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      let entities = (1..<10).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
      let bomb = "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY l0 \"lol\">\(entities)]>"
      try refuse(Array((bomb + StrictXMLTests.document(member: "<string>&l9;</string>")).utf8))
      try refuse(Array(StrictXMLTests.document(member: "<string>&l9;</string>").utf8))
    }
  }

  /// Very long numbers, texts, white space and comments take time in proportion.
  @Test func greatLengths() async {
    await #expect(processExitsWith: .success) {
      limitResources()
      let million = { (text: String) in
        String(repeating: text, count: Proofs.pick(full: 1_000_000, quick: 200_000))
      }
      for value in [million("9"), "0." + million("9"), "1e" + million("9"), "\"" + million("\\"), million(" ") + "x"] {
        try refuse(Array("\(StrictJSONTests.header)\"tags\":[{\"id\":\(value)}]}".utf8))
      }
      let date = "{\"id\":\"a\",\"name\":\"a\",\"nameModificationDate\":\"2000-12-31T23:59:59.\(million("9"))\"}"
      try refuse(Array("\(StrictJSONTests.header)\"tags\":[\(date)]}".utf8))
      for value in [
        "<integer>\(million("9"))</integer>", "<!--\(million("-"))", "<data>\(million(" A"))</data>", million("<"),
      ] {
        try refuse(Array(StrictXMLTests.document(member: value).utf8))
      }
    }
  }
}

private struct NotRefused: Error {}

private func refuse(_ bytes: [UInt8]) throws {
  var limits = ReadLimits()
  limits.unfolding = Proofs.pick(full: limits.unfolding, quick: limits.unfolding / 4)
  do {
    _ = try SnapshotFile.decode(Notebook.self, from: bytes, options: ReadOptions(limits: limits))
  } catch is SnapshotError {
    return
  }
  throw NotRefused()
}

/// One gigabyte more than the process has already, and a limited processor time.
private func limitResources(seconds: UInt = 30) {
  #if os(Linux)
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
    // The address sanitizer takes several times as much of both.
    #if SNAPSHOT_ADDRESS_SANITIZER
      let (more, seconds) = (UInt(8) << 30, 10 * seconds)
    #else
      let more = UInt(1) << 30
    #endif
    let size = (pages.flatMap { UInt($0) } ?? 0) * 4096 + more
    var memory = rlimit(rlim_cur: size, rlim_max: size)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    var time = rlimit(rlim_cur: seconds, rlim_max: seconds)
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
  #endif
}
