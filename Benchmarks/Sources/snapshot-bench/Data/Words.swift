/// The words of the notes.
enum Words {
  static let plain = split(
    """
    the a of and to in is that it for was on are as with they at be this from have or by one had not but what all were
    when we there can an your which their said if do will each about how up out them then she many some so these would
    other into has more her two like him see time could no make than first been its who now people my made over did down
    only way find use may water long little very after words called just where most know get through back much before go
    good new write our used me man too any day same right look think also around another came come work three word must
    because does part even place well such here take why things help put years different away again off went old number
    great tell men say small every found still between name should home big give air line set own under read last never
    left end along while might next sound below saw something thought both few those always looked show large often
    together asked house world going want school important until form food keep children feet land side without boy once
    animals life enough took sometimes four head above kind began almost live page got earth need far hand high year
    mother light country father let night picture being study second soon story since white ever paper hard near
    museum closed mondays ticket train platform coffee bread market umbrella notebook pencil letter garden river bridge
    """)

  /// Words with letters beyond ASCII.
  static let foreign = split(
    """
    café déjà naïve façade Zürich Straße über Mädchen señor mañana corazón São coração smörgåsbord Łódź żółty čeština
    Ελλάδα καλημέρα Москва привет 東京 日本語 メモ 한국어 안녕 crème brûlée Ærø œuvre İstanbul — “quoted” ‘single’ …
    """)

  static let emoji = ["🎉", "☕️", "📚", "🚲", "👩‍👩‍👧", "🇫🇷", "🙂", "🌧️"]

  /// Texts that the formats must escape.
  static let escaped = [
    "\"quoted\"", "C:\\temp\\new", "a\tb", "x < y", "this & that", "<b>bold</b>", "\"", "\\", "&amp;",
    "if (a && b > c)",
  ]

  private static func split(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
