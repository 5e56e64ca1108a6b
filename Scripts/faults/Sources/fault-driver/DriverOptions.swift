import Foundation
import SnapshotStore

/// The command line of the driver.
struct DriverOptions {
  let url: URL
  var writer = "ours"
  var policy = SavePolicy.manual
  var externalChanges = ExternalChange.Policy.fail
  var notes = 100
  var padding = 500
  /// The bytes up to which a journal may grow; nil for none.
  var journalSize: Int?

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    guard let path = rest.popFirst() else { return nil }
    url = URL(filePath: path)
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch (option, value, Int(value)) {
      case ("--writer", _, _): writer = value
      case ("--policy", "manual", _): policy = .manual
      case ("--policy", "immediate", _): policy = .immediate
      case ("--external", "fail", _): externalChanges = .fail
      case ("--external", "reload", _): externalChanges = .reload
      case ("--external", "keep-ours", _): externalChanges = .keepOurs
      case ("--external", "merge", _): externalChanges = .merge
      case ("--journal", _, let size?): journalSize = size
      case ("--notes", _, let number?): notes = number
      case ("--padding", _, let number?): padding = number
      default: return nil
      }
    }
  }

  func makeKeeper() throws -> any Keeper {
    if writer == "ours" { return try StoreKeeper(url, storeOptions) }
    guard let cheat = Cheat(rawValue: writer) else { throw DriverError("there is no writer \(writer)") }
    return try CheatKeeper(url, cheat)
  }

  private var storeOptions: StoreOptions {
    var options = StoreOptions(policy: policy)
    options.externalChanges = externalChanges
    if let journalSize { options.journal = .beside(size: journalSize, share: 0) }
    return options
  }
}
