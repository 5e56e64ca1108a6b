import Foundation

/// The files of one size.
struct ScaleFiles {
  let folder: URL

  var store: URL { folder.appendingPathComponent("posts.json") }
  var database: URL { folder.appendingPathComponent("posts.sqlite") }
  /// The same with an index of words.
  var wordsDatabase: URL { folder.appendingPathComponent("words.sqlite") }

  /// The sizes of the files of each side.
  func sizes() throws -> (store: [(name: String, value: Double)], database: [(name: String, value: Double)]) {
    let databases = [("fileBytes", try Self.size(database)), ("wordsFileBytes", try Self.size(wordsDatabase))]
    return ([("fileBytes", try Self.size(store))], databases)
  }

  /// The bytes of a file.
  private static func size(_ url: URL) throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return Double(attributes[.size] as? Int ?? 0)
  }
}
