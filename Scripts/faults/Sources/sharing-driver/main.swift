import Foundation
import SnapshotStore

// A process that has a store open which others have open too: sharing-driver FILE NAME JOURNAL. JOURNAL is `none`, or
// the size up to which the journal may grow. It reads commands, one a line:
//
// - `open` opens the store shared, `alone` exclusively. Both print `OPEN number`: the last one that NAME has written.
// - `write FIRST COUNT PAUSE` writes numbers one after the other. It prints `ACK number seconds` when one is saved, and
//   pauses for up to PAUSE microseconds in between. A save that fails prints `REFUSED code: message`, and is repeated.
//   `MISSING what` says that the store lacks what NAME has saved before. At the end it prints `DONE`.
// - `update NUMBER` does the same once, in a short session.
// - `flush` saves what a merge with the file of another program has left unsaved, and prints `DONE`.
// - `value` prints `VALUE seconds id=number …`: when the value has changed last, and all of it.
// - `close` closes the store, and prints `CLOSED`.
//
// `CONFLICT place; …` names what another one has changed too, and `CHANGE …` is any other external change. Seconds are
// those of the machine's monotonic clock. `FAIL command code: message` is the answer to an error.

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  Wire.say("usage: sharing-driver FILE NAME JOURNAL")
  exit(64)
}
let journal: JournalPolicy = Int(arguments[3]).map { .beside(size: $0, share: 0) } ?? .none
let participant = Participant(file: URL(filePath: arguments[1]), name: arguments[2], journal: journal)
Wire.say("READY")
while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  do {
    try participant.perform(words[0], words.dropFirst().map { String($0) })
  } catch {
    let known = error as? SnapshotError
    Wire.say("FAIL \(words[0]) \(known?.code.rawValue ?? "none"): \(known?.description ?? "\(error)")")
  }
}
