import Foundation
import SnapshotStore

// A program that changes a store and ends without closing it: ending-driver FILE POLICY LIFETIME ENDING COUNT. It
// prints a line `END` after all writes, immediately before its end, so that a signal can be timed.

let arguments = CommandLine.arguments
guard arguments.count == 6, let policy = policies[arguments[2]], let lifetime = Lifetime(rawValue: arguments[3]),
  let ending = Ending(rawValue: arguments[4]), let count = Int(arguments[5])
else {
  FileHandle.standardError.write(Data("usage: ending-driver FILE POLICY LIFETIME ENDING COUNT\n".utf8))
  exit(64)
}
let savesSoon = policy != .manual && arguments[2] != "late"
let url = URL(filePath: arguments[1])

// A variable at the top of a program is never deinitialised.
let global = lifetime == .global ? try open(url, policy, ending) : nil
if let global {
  try write(count, to: global)
  try end(ending, global, url, savesSoon: savesSoon)
} else if lifetime == .local {
  try useLocally()
} else {
  try { try write(count, to: open(url, policy, ending)) }()
  try end(ending, nil, url, savesSoon: savesSoon)
}

func useLocally() throws {
  let store = try open(url, policy, ending)
  try write(count, to: store)
  try end(ending, store, url, savesSoon: savesSoon)
}
