import Foundation
import SnapshotStore
import WorkshopModel

/// One model of one's own through everything that the library has for models. Each step is a file.
@main
enum WorkshopExample {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "workshop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }

    let store = Store(try Workshop.sample())
    try undo(in: store)
    try stage(in: store)
    try await follow(store)
    try await find(in: store)
    try mergeCopies()
    try exchange()
    try fixtures(in: folder)
    try await crash()
  }
}
