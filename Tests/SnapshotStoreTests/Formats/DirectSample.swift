import Foundation

@testable import SnapshotStore
@testable import TestSupport

/// A record with a property of every type that supports direct coding.
struct Sample: DirectRecord {
  /// A type with a raw value.
  enum Kind: String, Codable, DirectValue, CaseIterable { case river, street = "Straße", none = "" }

  /// A type whose raw value is a number.
  enum Level: Int, Codable, DirectValue, CaseIterable { case low = -1, high = 300 }

  /// A type that defines its own stored value.
  struct Celsius: Codable, Equatable, DirectValue {
    var degrees: Double

    init(degrees: Double) { self.degrees = degrees }
    init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Double.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(degrees)
    }
    init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) { degrees = try Double(reading: &reader) }
    func write(to writer: inout RecordWriter) { degrees.write(to: &writer) }
  }

  let id: Int64
  var text = ""
  var flag = false
  var count = 0
  var number = 0.5
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var texts: [String] = []
  var kind = Kind.none
  var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  var celsius = Celsius(degrees: 1)
  var levelIfAny: Level?
  var flagIfAny: Bool?
  var integerIfAny: Int64?
  var countIfAny: Int?
  var numberIfAny: Double?
  var textIfAny: String?
  var dateIfAny: Date?
  var textsIfAny: [String]?

  init(id: Int64) { self.id = id }

  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    text = try reader.read("text")
    flag = try reader.read("flag")
    count = try reader.read("count")
    number = try reader.read("number")
    date = try reader.read("date")
    texts = try reader.read("texts")
    kind = try reader.read("kind")
    uuid = try reader.read("uuid")
    celsius = try reader.read("celsius")
    levelIfAny = try reader.readIfPresent("levelIfAny")
    flagIfAny = try reader.readIfPresent("flagIfAny")
    integerIfAny = try reader.readIfPresent("integerIfAny")
    countIfAny = try reader.readIfPresent("countIfAny")
    numberIfAny = try reader.readIfPresent("numberIfAny")
    textIfAny = try reader.readIfPresent("textIfAny")
    dateIfAny = try reader.readIfPresent("dateIfAny")
    textsIfAny = try reader.readIfPresent("textsIfAny")
  }

  func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("text", text)
    writer.write("flag", flag)
    writer.write("count", count)
    writer.write("number", number)
    writer.write("date", date)
    writer.write("texts", texts)
    writer.write("kind", kind)
    writer.write("uuid", uuid)
    writer.write("celsius", celsius)
    writer.writeIfPresent("levelIfAny", levelIfAny)
    writer.writeIfPresent("flagIfAny", flagIfAny)
    writer.writeIfPresent("integerIfAny", integerIfAny)
    writer.writeIfPresent("countIfAny", countIfAny)
    writer.writeIfPresent("numberIfAny", numberIfAny)
    writer.writeIfPresent("textIfAny", textIfAny)
    writer.writeIfPresent("dateIfAny", dateIfAny)
    writer.writeIfPresent("textsIfAny", textsIfAny)
  }
}

extension Sample {
  /// A record of random values. If `isTame`, nearly all are ordinary; otherwise they are as awkward as possible.
  init(id: Int64, isTame: Bool, _ generator: inout SeededGenerator) {
    self.init(id: id)
    func text(_ generator: inout SeededGenerator) -> String {
      isTame ? generator.pick(["river", "Straße", "", "a\nb & c < d > e", "\"\\\r", "😀", "，U"]) : generator.text()
    }
    func double(_ generator: inout SeededGenerator) -> Double {
      isTame ? Double(Int.random(in: -9999...9999, using: &generator)) / 8 : generator.double()
    }
    func date(_ generator: inout SeededGenerator) -> Date {
      // Dates with a fraction are read directly if they are not too close to 2001.
      let seconds = Double(Int.random(in: 1 << 33..<1 << 37, using: &generator)) / (generator.chance(2) ? 1024 : 1)
      return Date(timeIntervalSinceReferenceDate: isTame ? seconds : generator.dateSeconds())
    }
    self.text = text(&generator)
    flag = generator.chance(2)
    count = isTame ? Int.random(in: -300...70_000, using: &generator) : generator.integer()
    number = double(&generator)
    self.date = date(&generator)
    texts = generator.list(upTo: 3, text)
    kind = generator.pick(Kind.allCases)
    let byte = UInt8.random(in: 0...255, using: &generator)
    uuid = UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    celsius.degrees = double(&generator)
    if generator.chance(2) { levelIfAny = generator.pick(Level.allCases) }
    if generator.chance(2) { flagIfAny = generator.chance(2) }
    if generator.chance(2) { integerIfAny = generator.integer() }
    if generator.chance(2) { countIfAny = 1 }
    if generator.chance(2) { numberIfAny = double(&generator) }
    if generator.chance(2) { textIfAny = text(&generator) }
    if generator.chance(2) { dateIfAny = date(&generator) }
    if generator.chance(2) { textsIfAny = generator.list(upTo: 2, text) }
  }
}

/// The same record, read and written through `Codable`.
struct PlainSample: Record {
  let sample: Sample
  var id: Int64 { sample.id }

  init(_ sample: Sample) { self.sample = sample }
  init(from decoder: any Decoder) throws { sample = try Sample(from: decoder) }
  func encode(to encoder: any Encoder) throws { try sample.encode(to: encoder) }
}

struct SampleModel: Model {
  var items = Table<Sample>()
  var others = Table<Sample>()
  static let schema = Schema<SampleModel>(
    "samples", version: 1,
    Field("items", \.items),
    Field("others", \.others))

  init() {}

  init(_ count: Int, isTame: Bool, _ generator: inout SeededGenerator) throws {
    var samples: [Sample] = []
    for id in 0..<Int64(count) { samples.append(Sample(id: id * 37, isTame: isTame, &generator)) }
    items = try Table(samples)
    others = try Table(samples.prefix(2))
  }
}

struct PlainModel: Model {
  var items = Table<PlainSample>()
  var others = Table<PlainSample>()
  static let schema = Schema<PlainModel>(
    "samples", version: 1,
    Field("items", \.items),
    Field("others", \.others))

  init() {}

  init(_ model: SampleModel) throws {
    items = try Table(model.items.map(PlainSample.init))
    others = try Table(model.others.map(PlainSample.init))
  }
}

/// The result of reading, as far as it must not depend on the way.
struct Outcome: Equatable, CustomStringConvertible {
  /// The value, in a form that shows all bits.
  private(set) var value: [UInt8]?
  private(set) var error: String?

  /// Through `Codable` and items, on one thread.
  init(general bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws {
    var limits = limits
    limits.readsItemsOnly = true
    try self.init(codable: bytes, threads: 1, limits: limits)
  }

  /// Through `Codable`, from the bytes as far as possible.
  init(codable bytes: [UInt8], threads: Int, limits: ReadLimits = ReadLimits()) throws {
    try self.init {
      try SnapshotFile.decode(
        PlainModel.self, from: bytes,
        options: ReadOptions(limits: limits, acceptsChecksumMismatch: true, threads: threads))
    }
  }

  /// Directly, as far as possible.
  init(direct bytes: [UInt8], threads: Int, limits: ReadLimits = ReadLimits()) throws {
    try self.init {
      try PlainModel(
        try SnapshotFile.decode(
          SampleModel.self, from: bytes,
          options: ReadOptions(limits: limits, acceptsChecksumMismatch: true, threads: threads)))
    }
  }

  private init(_ read: () throws -> PlainModel) throws {
    do {
      value = try SnapshotFile.encode(try read(), as: .json, threads: 1)
    } catch let failure as SnapshotError {
      let place = failure.position.map { "\($0)" } ?? "nowhere"
      error = "\(failure.code) at \(place), \(failure.dataPath ?? "nothing")"
    }
  }

  var description: String { error ?? String(decoding: value ?? [], as: UTF8.self) }
}
