import SnapshotStore

/// The top-level domains that mark a name without a scheme as a web address.
///
/// The list is not complete. Texts contain many names with points in them, and a missed address is better than a file
/// name or a sentence taken for one. Missing two-letter domains are words, abbreviations or file extensions.
enum LinkDomains {
  enum Kind {
    /// A domain whose names are addresses by themselves: `example.com`.
    case common
    /// A domain that is also an English word or a file extension. `bit.ly/x` is an address, `end.it` is not.
    case needsPath
  }

  /// The kind of the last label of a name. Only lower case counts: `ASP.NET` and `end.It` are no addresses.
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
