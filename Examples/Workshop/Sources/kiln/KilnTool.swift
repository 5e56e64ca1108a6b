import SnapshotCommands
import SnapshotStore
import WorkshopModel

@main
struct KilnTool {
  static func main() { StoreCommands<Workshop>(name: "kiln", commands: [FireCommand.self]).main() }
}

/// Fires all pieces that dry: a command of its own, beside those for every model.
struct FireCommand: StoreCommand {
  static let name = "fire"
  static let summary = "Fire all pieces that dry"
  static let parameters: [Parameter] = [
    .store("STORE", "the store"),
    .option("--temperature", "N", .number(0...2000), "in degrees Celsius; by default that of the store"),
  ]

  private let session: StoreSession<Workshop>
  private let temperature: Int?

  init(_ arguments: inout Arguments) throws {
    temperature = arguments.number("--temperature")
    session = try StoreSession(&arguments)
  }

  func run() throws {
    let fired = try session.write { workshop in
      let degrees = temperature ?? workshop.firing.temperature
      let drying = workshop.pieces.filter { if case .drying = $0.stage { true } else { false } }.map(\.id)
      for id in drying { try workshop.advance(id, to: .fired(at: degrees, isGlazed: false), at: .day(30)) }
      return drying
    }
    for id in fired { try Terminal.output.print("fired \(id)".forTerminal + "\n") }
  }
}
