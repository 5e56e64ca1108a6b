/// The collectors of a model, by the names of its tables and single values.
struct SalvageFields {
  let tableNames: [String]
  let valueNames: [String]
  /// Whether records with the same bytes are one record. In a table without a type, two equal records may be two.
  let comparesBytes: Bool
  private let collectors: [ExactText: any SalvageCollector]

  init(_ collectors: [any SalvageCollector]) {
    tableNames = collectors.filter { !$0.isValue }.map(\.name)
    valueNames = collectors.filter(\.isValue).map(\.name)
    comparesBytes = collectors.allSatisfy { $0.knowsForm || $0.isValue }
    self.collectors = Dictionary(uniqueKeysWithValues: collectors.map { (ExactText($0.name), $0) })
  }

  subscript(name: String) -> (any SalvageCollector)? { collectors[ExactText(name)] }

  func isTable(_ name: String) -> Bool { self[name]?.isValue == false }
  func isValue(_ name: String) -> Bool { self[name]?.isValue == true }
}
