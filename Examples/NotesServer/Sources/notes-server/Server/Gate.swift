import FlyingFox

/// Decides which requests are answered. The pages of other sites must neither read nor change the notes.
///
/// - The `Host` must be an own name. Otherwise a site could give its own name this address (DNS rebinding).
/// - The `Origin`, if there is one, must be this server. Browsers send it with requests of other pages.
/// - Everything under `/api/` needs the token, which only the person who started the server knows.
struct Gate: Sendable {
  /// 32 random digits: 126 bits.
  let token: String
  private let hosts: Set<String>

  init(host: String) {
    token = (0..<16).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
    hosts = ["127.0.0.1", "localhost", host]
  }

  /// The status code and the reason for refusing a request; nil if it may pass.
  func refusal(of request: HTTPRequest) -> (code: HTTPStatusCode, reason: String)? {
    let host = request.headers[.host] ?? ""
    guard hosts.contains(Self.name(of: host)) else { return (.misdirectedRequest, "this server has another name") }
    if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(host)" {
      return (.forbidden, "requests of other pages are refused")
    }
    if let site = request.headers[HTTPHeader("Sec-Fetch-Site")], site != "same-origin", site != "none" {
      // A link to the page is harmless. It has no token.
      let isNavigation = request.headers[HTTPHeader("Sec-Fetch-Mode")] == "navigate" && request.path == "/"
      if !isNavigation { return (.forbidden, "requests of other pages are refused") }
    }
    if request.path.hasPrefix("/api/"), !isToken(request.headers[HTTPHeader("X-Notes-Token")] ?? "") {
      return (.unauthorized, "the token is missing or wrong: open the address that the server printed")
    }
    return nil
  }

  /// The name without the port.
  private static func name(of host: String) -> String {
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && UInt16(parts[1]) == nil || parts.count > 2 ? "" : String(parts.first ?? "").lowercased()
  }

  /// Compares all bytes, so that the time does not tell how many are right.
  private func isToken(_ text: String) -> Bool {
    let (a, b) = (Array(token.utf8), Array(text.utf8))
    return a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
