import FlyingFox
import Foundation
import SnapshotStore

/// Answers requests: the files of the page, the events of a window, and the commands of a window.
struct Site: Sendable {
  let workspace: Workspace
  let gate: Gate

  /// The most bytes of a command. A note may have about as many.
  private static let bodyLimit = 1 << 20

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    if let refusal = gate.refusal(of: request) { return .text(refusal.code, refusal.reason) }
    switch (request.method, request.path) {
    case (.GET, "/api/events"): return events()
    case (.POST, "/api/do"): return await perform(request)
    case (.GET, let path): return PageFile.response(for: path) ?? .text(.notFound, "there is no such page")
    default: return .text(.methodNotAllowed, "there is no such method here")
    }
  }

  /// A new window, and its events as they happen.
  private func events() -> HTTPResponse {
    let (outbox, rings) = Outbox.make()
    workspace.open(outbox)
    let stream = EventStream(outbox: outbox, rings: rings)
    let headers = HTTPHeaders.safe([.contentType: "text/event-stream", .cacheControl: "no-store"])
    return HTTPResponse(statusCode: .ok, headers: headers, body: HTTPBodySequence(from: stream))
  }

  private func perform(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      guard let body = try await request.body(limit: Self.bodyLimit) else {
        return .text(.payloadTooLarge, "a note may have 1 MB")
      }
      guard let command = try? JSONDecoder().decode(Command.self, from: body) else {
        return .text(.badRequest, "this is not a command")
      }
      guard let window = workspace.window(request.headers[HTTPHeader("X-Notes-Window")] ?? "") else {
        return .text(.gone, "the window is not connected")
      }
      try await window.perform(command)
      return HTTPResponse(statusCode: .noContent, headers: .safe([:]))
    } catch let error as SnapshotError {
      return .text(.unprocessableContent, error.message)
    } catch {
      return .text(.unprocessableContent, "\(error)")
    }
  }
}

extension HTTPRequest {
  /// The body; nil if it is longer than the limit. The rest is read and dropped, so that the next request is found.
  fileprivate func body(limit: Int) async throws -> Data? {
    var body = Data()
    var count = 0
    for try await piece in bodySequence {
      count += piece.count
      if count <= limit { body.append(piece) }
    }
    return count <= limit ? body : nil
  }
}

extension HTTPHeaders {
  /// Headers that forbid scripts of others, frames and guesses of the content's type.
  static func safe(_ headers: [HTTPHeader: String]) -> HTTPHeaders {
    let policy = """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
      """
    return HTTPHeaders(
      headers.merging([
        HTTPHeader("Content-Security-Policy"): policy, HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Referrer-Policy"): "no-referrer", HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
      ]) { own, _ in own })
  }
}

extension HTTPResponse {
  static func text(_ code: HTTPStatusCode, _ text: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: code, headers: .safe([.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]),
      body: Data("\(text)\n".utf8))
  }
}
