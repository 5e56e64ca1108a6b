package import Foundation
internal import SnapshotStore

extension Workshop {
  /// A small workshop, the same each time.
  package static func sample() throws -> Workshop {
    var workshop = Workshop()
    let celadon = Glaze(Glaze.ID("Ash & Co", 7), "Céladon", recipe: ["ash": 0.4, "feldspar": 0.6])
    let tenmoku = Glaze(Glaze.ID("Own", 1), "Tenmoku", recipe: ["iron": 0.09, "feldspar": 0.91])
    try workshop.glazes.insert(celadon)
    try workshop.glazes.insert(tenmoku)
    let names = ["Tea bowl", "Moon jar", "Plate", "Vase with handles", "Café cup"]
    for (number, name) in names.enumerated() {
      var piece = Piece(
        "K-\(number + 1)", name, height: Double(6 + 7 * number), width: 12.5, at: .day(number))
      piece.glaze = number % 2 == 0 ? celadon.id : tenmoku.id
      piece.price = Decimal(20 + number) + Decimal(95) / 100
      try workshop.pieces.insert(piece)
    }
    try workshop.pieces.update("K-2") { $0.stage = .fired(at: 1_240, isGlazed: true) }
    try workshop.pieces.update("K-3") { $0.stage = .drying(since: .day(2)) }
    try workshop.pieces.update("K-4") { $0.remarks = ["crack at the foot", "glued"] }
    workshop.firing.log = [1: 150, 2: 300]
    // The rule of the schema counts the uses of the glazes.
    let store = Store(Workshop())
    try store.write { $0 = workshop }
    return store.read { $0 }
  }
}

extension Date {
  /// A day of 2026, so that every run prints the same.
  package static func day(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: 788_918_400 + 86_400 * Double(number))
  }
}
