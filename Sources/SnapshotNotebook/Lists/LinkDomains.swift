import SnapshotStore

/// The top-level domains by which a name without a scheme is known for an address.
///
/// Not all there are: a text has many names with points in them, and an address that is not seen is better than a file or a
/// sentence that is taken for one. Two-letter domains that are missing here are words, abbreviations or extensions.
enum LinkDomains {
  enum Kind {
    /// `example.com`.
    case common
    /// `bit.ly/x` is an address, `end.it` is not: also a word of English, or the extension of a file.
    case needsPath
  }

  /// What is known of the last part of a name, which must be in lower case: `ASP.NET` and `end.It` are no addresses.
  static func kind(of label: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
    guard label.count <= 7 else { return nil }
    let label = String(decoding: label, as: UTF8.self)
    return common.contains(label) ? .common : needingPath.contains(label) ? .needsPath : nil
  }

  private static let common: Set<String> = set(
    """
    com org net edu gov mil int biz dev io eu
    ac ae ar au ba bd bg bo br ca ch cl cn co cr cy cz de dk dz ec ee eg es fi fm fr ge gr gt hk hr hu id ie il ir jp ke kr kz
    lk lt lu lv ly ma mk mn mt mx ng nl np nu nz pe ph pk pt qa ro ru sa se sg si sk th tn tr tv tw ua ug uk uy uz ve vn za
    """)

  private static let needingPath = set(
    """
    ai am app as at be by cc do gg gl im in info is it la li md me my name no page pl pm ps py rs sh site so st to top us
    wiki ws xyz
    """)

  private static func set(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
