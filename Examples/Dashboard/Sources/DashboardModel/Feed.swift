package import Foundation

/// The answer of a server.
package struct Feed: Codable {
  struct Post: Codable {
    let id: String
    let blogName: String
    let body: String
    let tags: [String]
  }

  let posts: [Post]

  package init(json: Data) throws { self = try JSONDecoder().decode(Feed.self, from: json) }

  /// The server of this example: posts that are the same every time, except for a few edited ones.
  package static func json(_ numbers: Range<Int>, edited: Set<Int> = []) throws -> Data {
    let posts = numbers.map { number in
      Post(
        id: "post-\(number)", blogName: ["Flâneur", "Vesper", "Inessential"][number % 3],
        body: "Post number \(number)" + (edited.contains(number) ? ", corrected" : ""),
        tags: number.isMultiple(of: 100) ? ["paris"] : [])
    }
    return try JSONEncoder().encode(Feed(posts: posts))
  }

  private init(posts: [Post]) { self.posts = posts }
}
