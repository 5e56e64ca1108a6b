import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The effects of an import, in words.
struct ImportSummary {
  private let report: ImportReport

  init(_ report: ImportReport) { self.report = report }

  func print() throws { try Terminal.output.print(lines.map { $0.forTerminal + "\n" }.joined()) }

  private var lines: [String] {
    let added = [
      Counts.text(report.addedNotes, "note"), Counts.text(report.addedTags, "tag"),
      Counts.text(report.addedAttachments, "attachment"),
    ]
    var lines = ["added \(added.joined(separator: ", "))"]
    if report.changedNotes > 0 { lines.append("changed \(Counts.text(report.changedNotes, "note"))") }
    if report.unchangedNotes > 0 {
      let verb = report.unchangedNotes == 1 ? "exists" : "exist"
      lines.append("skipped \(Counts.text(report.unchangedNotes, "note")) that \(verb) already")
    }
    if report.addedDeletions > 0 {
      lines.append("remembered \(Counts.text(report.addedDeletions, "note")) as deleted")
    }
    return lines + skippedLines + report.remarks
  }

  private var skippedLines: [String] {
    var lines = report.skipped.prefix(20).map { skipped in
      let note = skipped.id.map { ", note \($0)" } ?? ""
      return "skipped \(skipped.place)\(note): \(skipped.reason)"
    }
    let more = report.skipped.count - lines.count
    if more > 0 { lines.append("skipped \(more) more; \(report.skipped.count) in all") }
    return lines
  }
}
