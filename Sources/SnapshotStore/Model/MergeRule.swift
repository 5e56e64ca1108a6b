/// How the properties of a record are merged when two sides have changed it; see ``Record/mergeRules``.
///
/// Properties are named by their keys in the file. One that no rule names is merged by itself.
public enum MergeRule: Hashable, Sendable {
  /// Properties that are one: all of them come from the same side. `modified` is the key of the date at which they were last
  /// changed; it belongs to them.
  case together([String], modified: String? = nil)
  /// An array without equal elements, to which both sides may add and from which both may remove; the order is ours.
  /// `modified` is the key of the date at which it was last changed; the later one is taken.
  case elements(String, modified: String? = nil)
  /// The date at which the record was last changed: the later one is taken.
  case modified(String)
}

extension MergeRule {
  /// The key of the date.
  var dateKey: ExactText? {
    switch self {
    case .together(_, let modified), .elements(_, let modified): modified.map { ExactText($0) }
    case .modified(let key): ExactText(key)
    }
  }

  /// The keys of what the date is of; nil if it is that of the record.
  var datedKeys: [ExactText]? {
    switch self {
    case .together(let keys, _): keys.map { ExactText($0) }
    case .elements(let key, _): [ExactText(key)]
    case .modified: nil
    }
  }
}

extension Record {
  /// The keys of dates of changes.
  static var dateKeys: Set<ExactText> { Set(mergeRules.compactMap(\.dateKey)) }
}
