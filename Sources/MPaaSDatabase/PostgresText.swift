/// Statements of ours in the words of PostgreSQL.
///
/// Words that SQLite and PostgreSQL share stay as they are. Question marks become numbered ones, or NULL where the value
/// is that: PostgreSQL cannot tell the type of a value that is only asked whether it is null. Types and the two words
/// behind tables that SQLite alone knows are said otherwise, and names that PostgreSQL keeps for itself are quoted. Texts
/// of tables are compared by their bytes, as SQLite does.
struct PostgresText: Equatable {
  /// The statements, without the semicolons between them.
  private(set) var statements: [String] = []
  /// The places of the values that `$1`, `$2` … stand for.
  private(set) var places: [Int] = []

  private var output: [UInt8] = []
  /// The numbers of values by their places.
  private var numbers: [Int: Int] = [:]
  /// The place of the last question mark, counted from 1.
  private var lastPlace = 0
  private var lastWord = ""
  /// Tells whether a comma is to be left out with the word before it.
  private var dropsComma = false

  /// - Parameter nulls: Tells whether the value at a place is null, as one that is missing is.
  init(_ sql: String, isNull nulls: (Int) -> Bool) {
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let end = Self.end(of: byte, in: bytes, from: index)
        put(bytes[index..<end])
        index = end
      case UInt8(ascii: "-") where index + 1 < bytes.count && bytes[index + 1] == byte:
        index = bytes[index...].firstIndex(of: 10) ?? bytes.count
      case UInt8(ascii: "?"):
        index += 1
        let digits = bytes[index...].prefix { Self.isDigit($0) }
        index += digits.count
        let told = digits.reduce(0) { $0 &* 10 &+ Int($1 & 15) }
        putValue(digits.isEmpty ? lastPlace + 1 : told, nulls)
      case UInt8(ascii: ";"):
        index += 1
        endStatement()
      case UInt8(ascii: ",") where dropsComma:
        index += 1
        dropsComma = false
      case _ where Self.isLetter(byte):
        let word = bytes[index...].prefix { Self.isLetter($0) || Self.isDigit($0) }
        index += word.count
        put(word: String(decoding: word, as: UTF8.self))
      case _ where Self.isDigit(byte):
        // A number takes the letter of its exponent along.
        let number = bytes[index...].prefix { Self.isDigit($0) || Self.isLetter($0) || $0 == UInt8(ascii: ".") }
        index += number.count
        put(number)
      default:
        if byte > 32 { dropsComma = false }
        output.append(byte)
        index += 1
      }
    }
    endStatement()
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || byte == UInt8(ascii: "_")
  }

  /// The place behind the closing quote; two of them are one that does not close.
  private static func end(of quote: UInt8, in bytes: [UInt8], from start: Int) -> Int {
    bytes[(start + 1)...].firstIndex(of: quote).map { $0 + 1 } ?? bytes.count
  }

  private mutating func put(_ bytes: ArraySlice<UInt8>) {
    dropsComma = false
    lastWord = ""
    output += bytes
  }

  private mutating func putValue(_ place: Int, _ nulls: (Int) -> Bool) {
    lastPlace = max(lastPlace, place)
    lastWord = ""
    guard place > 0, !nulls(place - 1) else { return output += "NULL".utf8 }
    if numbers[place] == nil {
      places.append(place - 1)
      numbers[place] = places.count
    }
    output += "$\(numbers[place] ?? 0)".utf8
  }

  private mutating func put(word: String) {
    dropsComma = false
    defer { lastWord = word }
    switch word {
    case "INTEGER": output += "BIGINT".utf8
    case "REAL": output += "DOUBLE PRECISION".utf8
    case "BLOB": output += "BYTEA".utf8
    case "TEXT": output += (lastWord == "AS" ? "TEXT" : "TEXT COLLATE \"C\"").utf8
    case "STRICT", "WITHOUT": dropsComma = true
    case "ROWID" where lastWord == "WITHOUT": dropsComma = true
    case _ where Self.reserved.contains(word): output += "\"\(word)\"".utf8
    default: output += word.utf8
    }
  }

  private mutating func endStatement() {
    defer { (output, dropsComma, lastWord) = ([], false, "") }
    guard output.contains(where: { $0 > 32 }) else { return }
    statements.append(String(decoding: output, as: UTF8.self))
  }

  /// The words that PostgreSQL takes for names only in quotes; keywords of ours are in capitals.
  ///
  /// Source: PostgreSQL 15, Appendix C "SQL Key Words", those that are reserved.
  static let reserved: Set<String> = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "binary", "both",
    "case", "cast", "check", "collate", "collation", "column", "concurrently", "constraint", "create", "cross",
    "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp",
    "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "false", "fetch", "for",
    "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike", "in", "initially", "inner", "intersect",
    "into", "is", "isnull", "join", "lateral", "leading", "left", "like", "limit", "localtime", "localtimestamp",
    "natural", "not", "notnull", "null", "offset", "on", "only", "or", "order", "outer", "overlaps", "placing",
    "primary", "references", "returning", "right", "select", "session_user", "similar", "some", "symmetric",
    "system_user", "table", "tablesample", "then", "to", "trailing", "true", "union", "unique", "user", "using",
    "variadic", "verbose", "when", "where", "window", "with",
  ]
}
