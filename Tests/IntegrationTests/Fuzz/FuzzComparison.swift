import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// The result of one input.
enum FuzzResult {
  case bothAccept, bothRefuse
  /// One side refused, for a listed reason.
  case allowed(FuzzRule)
  /// Foundation is not asked, because it would crash.
  case notCompared(String)
  case defect(String)
}

/// Reads one input with the library and with Foundation's decoders, and compares.
struct FuzzComparison<Root: FuzzModel> {
  let bytes: [UInt8]
  let format: FileFormat
  private(set) var slowest = Duration.zero

  init(_ bytes: [UInt8], as format: FileFormat) {
    self.bytes = bytes
    self.format = format
  }

  mutating func run() -> FuzzResult {
    var own: Result<Root, any Error> = .failure(OracleRefusal(message: ""))
    let time = ContinuousClock().measure {
      own = Result {
        try SnapshotFile.decode(Root.self, from: bytes, options: ReadOptions(acceptsChecksumMismatch: true, threads: 1))
      }
    }
    slowest = max(slowest, time)
    if time > .seconds(1) { return .defect("reading took \(time)") }
    if case .failure(let error) = own, !(error is SnapshotError) { return .defect("another error: \(error)") }
    var refusal = FuzzRule.Refusal(bytes: bytes, format: format)
    if case .failure(let error) = own { refusal.error = error as? SnapshotError }
    if let reason = FuzzRule.reasonNotToCompare(refusal) {
      if case .success(let root) = own, let failure = consequences(of: root) { return .defect(failure) }
      return .notCompared(reason)
    }
    let foundation = Result { try Self.readByFoundation(bytes, format) }
    switch (own, foundation) {
    case (.success(let root), .success(let other)):
      if let failure = consequences(of: root) { return .defect(failure) }
      return Self.areSame(Self.canonical(root), Self.canonical(other), format)
        ? .bothAccept : difference(root, other, refusal)
    case (.failure, .failure): return .bothRefuse
    case (.failure(let error), .success):
      let rule = FuzzRule.stricter.first { $0.matches(refusal) }
      let code = refusal.error?.code.rawValue ?? ""
      return rule.map(FuzzResult.allowed) ?? .defect("only Foundation accepts: [\(code)] \(error)")
    case (.success(let root), .failure(let error)):
      if let failure = consequences(of: root) { return .defect(failure) }
      refusal.canonical = Self.canonical(root)
      refusal.foundation = "\(error)"
      let rule = FuzzRule.wider.first { $0.matches(refusal) }
      return rule.map(FuzzResult.allowed) ?? .defect("only the library accepts: \(error)")
    }
  }

  // MARK: Parts

  private func difference(_ root: Root, _ other: Root, _ refusal: FuzzRule.Refusal) -> FuzzResult {
    var refusal = refusal
    refusal.canonical = Self.canonical(root)
    refusal.other = Self.canonical(other)
    if let rule = FuzzRule.different.first(where: { $0.matches(refusal) }) { return .allowed(rule) }
    return .defect("different values: " + Self.difference(refusal.canonical, refusal.other))
  }

  /// Whether both are the same, except for the bits of a NaN, which Foundation does not keep in a binary list.
  private static func areSame(_ own: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, _ format: FileFormat) -> Bool {
    func withoutBits(_ bytes: ArraySlice<UInt8>) -> String {
      String(decoding: bytes, as: UTF8.self).replacing(/NaN\(0x[0-9a-f]+\)/, with: "NaN")
    }
    return own == other || format == .binary && withoutBits(own) == withoutBits(other)
  }

  private static func difference(_ own: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> String {
    let (own, other) = (Array(own), Array(other))
    let index = zip(own, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(own.count, other.count)
    func part(_ bytes: [UInt8]) -> String {
      String(decoding: bytes[max(0, min(bytes.count, index - 40))..<min(bytes.count, index + 40)], as: UTF8.self)
    }
    return "…\(part(own))… and Foundation …\(part(other))…"
  }

  /// The conditions on every value that was read. Two threads read the same, it survives every format, and Foundation
  /// reads the same from the written file.
  private func consequences(of root: Root) -> String? {
    let canonical = Self.canonical(root)
    guard !canonical.isEmpty else { return "what was read cannot be written" }
    let twice = try? SnapshotFile.decode(
      Root.self, from: bytes, options: ReadOptions(acceptsChecksumMismatch: true, threads: 2))
    guard let twice, Self.canonical(twice) == canonical else { return "two threads read something else" }
    for format in FileFormat.allCases {
      guard let written = try? SnapshotFile.encode(root, as: format, threads: 1) else {
        return "what was read cannot be written as \(format)"
      }
      guard let again = try? SnapshotFile.decode(Root.self, from: written, options: ReadOptions(threads: 1)),
        Self.canonical(again) == canonical
      else { return "what is written as \(format) is read as something else" }
      if FuzzRule.isBeyondFoundation(written, format) { continue }
      do {
        let other = try Self.readByFoundation(written, format)
        let found = Self.canonical(other)
        if !Self.areSame(canonical, found, format) {
          return "Foundation reads from our \(format): " + Self.difference(canonical, found)
        }
      } catch {
        return "Foundation does not read our \(format): \(error)"
      }
    }
    return nil
  }

  /// The tables as JSON, without the header's checksum; empty if they cannot be written.
  static func canonical(_ root: Root) -> ArraySlice<UInt8> {
    let bytes = (try? SnapshotFile.encode(root, as: .json, threads: 1)) ?? []
    return bytes.drop { $0 != UInt8(ascii: "}") }
  }

  static func readByFoundation(_ bytes: [UInt8], _ format: FileFormat) throws -> Root {
    switch format {
    case .json:
      return try jsonDecoder().decode(OracleFile<Root>.self, from: Data(bytes)).root
    case .xml, .binary:
      let decoder = PropertyListDecoder()
      decoder.userInfo[OracleFormat.key] = OracleFormat.list
      return try decoder.decode(OracleFile<Root>.self, from: Data(bytes)).root
    case .ndjson: return try readLines(bytes)
    }
  }

  private static func jsonDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[OracleFormat.key] = OracleFormat.json
    return decoder
  }

  /// Every line is a document of its own. The first one, which no mutation changes, is the header.
  private static func readLines(_ bytes: [UInt8]) throws -> Root {
    let decoder = jsonDecoder()
    let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy(ByteText.isWhitespace) }
    guard let header = lines.first else { throw OracleRefusal(message: "no header") }
    // In a file with a checksum, the checksum is before the header on a line of its own.
    let isChecksum = header.starts(with: #"{"snapshot":{"checksum""#.utf8)
    var root = try decoder.decode(OracleFile<Root>.self, from: Data(isChecksum ? lines[1] : header)).root
    for line in lines.dropFirst(isChecksum ? 2 : 1) {
      try decoder.decode(OracleLine<Root>.self, from: Data(line)).insert(&root)
    }
    return root
  }
}
