import Foundation
import SnapshotStore

// A process that has a shared store open: sharing-driver FILE NAME JOURNAL. It reads commands, one a line:
//
// - `write FIRST COUNT PAUSE` writes records one after the other, and prints `ACK id` when each is saved. It pauses for
//   up to PAUSE microseconds in between.
// - `value` prints `VALUE` with the number of records and a sum of them.
// - `wait ID` prints `SEEN id seconds` when the record is there, with the time of the machine.
// - `close` closes the store, and prints `CLOSED`.

struct Mark: Record {
  let id: String
  var date: Double
}

struct Marks: Model {
  var marks = Table<Mark>()

  static let schema = Schema<Marks>(name: "marks", version: 1) {
    Field("marks", \.marks)
  }
}

func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  FileHandle.standardError.write(Data("usage: sharing-driver FILE NAME JOURNAL\n".utf8))
  exit(64)
}
var options = StoreOptions(policy: .manual, access: .shared, journal: arguments[3] == "journal" ? .beside() : .none)
options.lockTimeLimit = .seconds(30)
options.onExternalChange = { change in say("CHANGE \(change)") }
let store = try Store<Marks>.open(at: URL(filePath: arguments[1]), options: options)
say("OPEN")

func write(_ first: Int, _ count: Int, _ pause: UInt32) throws {
  for number in first..<first + count {
    let id = "\(arguments[2])-\(number)"
    try store.write { try $0.marks.insert(Mark(id: id, date: Date().timeIntervalSince1970)) }
    while true {
      do {
        try store.flushAndWait()
        break
      } catch let error as SnapshotError where error.code == .locked {
        say("BUSY \(error.message)")
      }
    }
    say("ACK \(id)")
    if pause > 0 { usleep(.random(in: 0...pause)) }
  }
}

while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  switch words.first {
  case "write": try write(Int(words[1])!, Int(words[2])!, UInt32(words[3])!)
  case "value":
    let sum = store.read { value in
      value.marks.reduce(UInt32(0)) { sum, mark in mark.id.utf8.reduce(sum) { $0 &* 31 &+ UInt32($1) } }
    }
    say("VALUE \(store.read { $0.marks.count }) \(sum)")
  case "wait":
    while store.read({ $0.marks[words[1]] == nil }) { usleep(100) }
    say("SEEN \(words[1]) \(Date().timeIntervalSince1970)")
  case "close":
    try store.closeAndWait()
    say("CLOSED")
  default: say("what is \(line)?")
  }
}
