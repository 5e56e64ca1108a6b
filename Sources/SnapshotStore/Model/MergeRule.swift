/// A rule for merging properties of a record that two sides have changed; see ``Record/mergeRules``.
///
/// ```swift
/// struct Task: Record {
///   let id: Int
///   var title: String
///   var tags: [String] = []
///   var changed = Date()
///   static let mergeRules: [MergeRule] = [.modified("changed"), .elements("tags")]
/// }
/// ```
///
/// Properties are named by their keys in the file. A property without a rule is merged by itself.
public enum MergeRule: Hashable, Sendable {
  /// Properties that belong together: all of them are taken from the same side. `modified` is the key of the date of
  /// their last change, which belongs to them.
  case together([String], modified: String? = nil)
  /// An array without equal elements. Additions and removals of both sides are applied, and the order is ours.
  /// `modified` is the key of the date of its last change; the later date is taken.
  case elements(String, modified: String? = nil)
  /// The date of the record's last change; the later date is taken.
  case modified(String)
  /// A property that a ``Rule`` computes. It is never a conflict. After a merge, an undo or an edit by another program
  /// it is as before, and the rule computes it again.
  ///
  /// If all of a table or a single value is computed, say so in its field: ``Field/derived()``.
  case derived(String)
  /// A property that a record gets when it is made, such as the spelling of a name. If two transactions add the same
  /// record, the value that was published first stays. In all other merges it does nothing.
  case first(String)
}

extension MergeRule {
  /// The key of the date.
  var dateKey: ExactText? {
    switch self {
    case .together(_, let modified), .elements(_, let modified): modified.map { ExactText($0) }
    case .modified(let key): ExactText(key)
    case .derived, .first: nil
    }
  }

  /// The keys of the properties with this date; nil if it is the date of the whole record.
  var datedKeys: [ExactText]? {
    switch self {
    case .together(let keys, _): keys.map { ExactText($0) }
    case .elements(let key, _): [ExactText(key)]
    case .derived, .first: []
    case .modified: nil
    }
  }
}

extension Record {
  /// The keys of all dates of change.
  static var dateKeys: Set<ExactText> { Set(mergeRules.compactMap(\.dateKey)) }

  /// The keys of all properties that a rule of the schema computes.
  static var derivedKeys: Set<ExactText> {
    Set(mergeRules.compactMap { if case .derived(let key) = $0 { ExactText(key) } else { nil } })
  }
}
