/// A part of the measurement of one size, each in a process of its own.
enum ScaleStep: String {
  /// Makes the files of both sides.
  case make
  /// Opens, uses and closes the store.
  case store
  /// The same with the databases.
  case database

  /// How often one process does an operation. Short ones are done often, and their mean counts.
  static let lookups = 5_000
  static let transactions = 1_000
  static let saves = 3
  static let durableTransactions = 50
}
