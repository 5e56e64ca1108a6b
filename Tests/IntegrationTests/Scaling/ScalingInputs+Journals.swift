import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Journals that grow along one dimension.
extension ScalingInputs {
  private static let date = #""date":"2026-11-23T17:00:00Z""#

  private static func line(_ text: String) -> (bytes: [UInt8], sum: UInt32) {
    let sum = Checksum.cksum(bytes(text)[...])
    return (bytes("\(text),\"sum\":\(sum)}\n"), sum)
  }

  /// A journal of lines with these sections.
  private static func journal(_ sections: [String]) -> [UInt8] {
    let header = line(#"{"journal":1,"schema":"notebook","version":1,\#(date),"base":{"checksum":1,"size":2}"#)
    var (journal, last) = header
    for (index, section) in sections.enumerated() {
      let next = line(#"{"n":\#(index + 1),"after":\#(last),\#(date),\#(section)"#)
      journal += next.bytes
      last = next.sum
    }
    return journal
  }

  /// Reads and replays a journal with types and without.
  private static func replay(_ name: String, _ size: Int, _ sections: @escaping @Sendable (Int) -> [String]) -> Case {
    Case("a journal of \(name)", size) { size in
      let bytes = journal(sections(size))
      let options = DecodingOptions(unknownKeys: .keep)
      let untyped = SnapshotContent<UntypedModel>(schema: "notebook", version: 1)
      return {
        let journal = try SnapshotStore.Journal(bytes, limits: ReadLimits())
        let lines = journal.lines[...]
        _ = try journal.replay(
          lines, onto: SnapshotContent(Notebook()), options, idKeys: [:], limits: ReadLimits())
        _ = try journal.replay(lines, onto: untyped, options, idKeys: [:], limits: ReadLimits())
      }
    }
  }

  private static func numbers(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: ",")
  }

  static let journals: [Case] = [
    replay("many lines", 400) { size in (0..<size).map { #""put":{"deletedNotes":[{"id":\#($0)}]}"# } },
    replay("many lines about one record", 400) { size in
      (0..<size).map { #""removed":{"deletedNotes":[7]},"put":{"deletedNotes":[{"id":7,"x\#($0 % 3)":1}]}"# }
        .enumerated().map { $0 == 0 ? #""put":{"deletedNotes":[{"id":7}]}"# : $1 }
    },
    replay("many records in a line", 1_000) { size in
      [#""put":{"deletedNotes":[\#(numbers(size) { #"{"id":\#(size - $0)}"# })]}"#]
    },
    replay("many removals", 1_000) { size in
      [
        #""put":{"deletedNotes":[\#(numbers(size) { #"{"id":\#($0)}"# })]}"#,
        #""removed":{"deletedNotes":[\#(numbers(size) { "\($0)" })]}"#,
      ]
    },
    replay("many old records", 400) { size in
      let records = numbers(size) { #"{"a":\#($0),"b":1}"# }
      return [
        #""ids":{"more":null},"put":{"more":[\#(records)]}"#, #""ids":{"more":null},"old":{"more":[\#(records)]}"#,
      ]
    },
    replay("many tables", 400) { size in
      let tables = #""put":{\#(numbers(size) { #""t\#($0)":[{"key":1}]"# })}"#
      return Array(repeating: #""ids":{\#(numbers(size) { #""t\#($0)":"key""# })},"# + tables, count: 2)
    },
    replay("many values", 400) { size in
      Array(repeating: #""set":{\#(numbers(size) { #""v\#($0)":1"# })}"#, count: 2)
    },
    replay("records that are alike", 400) { size in
      let records = numbers(size) { _ in #"{"a":1}"# }
      return [
        #""ids":{"more":null},"put":{"more":[\#(records)]}"#, #""ids":{"more":null},"old":{"more":[\#(records)]}"#,
      ]
    },
    replay("many unknown keys", 400) { size in
      [#""put":{"deletedNotes":[{"id":1,\#(numbers(size) { #""k\#($0)":1"# })}]}"#]
    },
    replay("many elements", 1_000) { size in [#""set":{"list":[\#(numbers(size) { "\($0)" })]}"#] },
    replay("other keys of ids", 200) { size in
      (0..<size).map { #""ids":{"more":"\#($0 % 2 == 0 ? "a" : "b")"},"put":{"more":[{"a":\#($0),"b":\#($0)}]}"# }
    },
    Case("a line that was not written to its end", 2_000) { size in
      let bytes = journal([]) + bytes(String(repeating: #"{"x":1,"sum":7}"#, count: size))
      return {
        _ = try SnapshotStore.Journal(bytes, limits: ReadLimits())
        _ = SnapshotStore.Journal(salvaging: bytes, limits: ReadLimits())
      }
    },
    Case("a journal of lines that are none", 1_000) { size in
      let bytes = (0..<size).flatMap { line(#"{"n":\#($0),"after":1,"date":"yesterday","set":{"value":true}"#).bytes }
      return {
        _ = try? SnapshotStore.Journal(bytes, limits: ReadLimits())
        _ = SnapshotStore.Journal(salvaging: bytes, limits: ReadLimits())
      }
    },
    Case("salvage of a journal", 2_000) { size in
      let bytes = journal((0..<size).map { #""set":{"v":\#($0)}"# })
      let damaged = Array(String(decoding: bytes, as: UTF8.self).replacing("5}", with: "6}").utf8)
      return { _ = SnapshotStore.Journal(salvaging: damaged, limits: ReadLimits()) }
    },
    Case("writing changes to a journal", 100) { size in
      let notebook = try notebook(size)
      return {
        var writer = JournalWriter()
        let start = JournalPosition(number: 0, sum: 0)
        for (old, new) in [(Notebook(), notebook), (notebook, Notebook())] {
          _ = try writer.changes(
            from: old, to: new, unknown: UnknownContent(), after: start, date: Date(timeIntervalSinceReferenceDate: 0),
            limit: .max)
        }
      }
    },
  ]
}
