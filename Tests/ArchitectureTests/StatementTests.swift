import Foundation
import MPaaSTestSupport
import Testing

/// The statements of the server: in words that SQLite, PostgreSQL, and those that speak as it does share.
@Suite("Statements of the server") struct StatementTests {
  struct Statement: Sendable {
    let place: String
    let text: String
  }

  /// The texts in quotes that have the words of SQL.
  static let all: [Statement] = {
    guard
      let inserted = try? NSRegularExpression(pattern: #"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"#),
      let quoted = try? NSRegularExpression(
        pattern: #""""\n(.*?)\n\s*"""|"((?:[^"\\\n]|\\.)*)""#, options: .dotMatchesLineSeparators),
      let words = try? NSRegularExpression(
        pattern: #"\b(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|ALTER TABLE|WHERE|ORDER BY|ON CONFLICT|LIKE|LIMIT|IN \()"#
      )
    else { return [] }
    // Backups are of SQLite's files alone.
    let sources = PackageSource.all.filter {
      $0.file.hasPrefix("MPaaSServer/") && !$0.file.hasPrefix("MPaaSServer/Backup/")
    }
    return sources.flatMap { source in
      let text = source.text as NSString
      return quoted.matches(in: source.text, range: NSRange(location: 0, length: text.length)).compactMap {
        match -> Statement? in
        let range = match.range(at: 1).location == NSNotFound ? match.range(at: 2) : match.range(at: 1)
        // What Swift puts in is no part of it.
        let statement = inserted.stringByReplacingMatches(
          in: text.substring(with: range), range: NSRange(location: 0, length: range.length), withTemplate: "x")
        guard
          words.firstMatch(in: statement, range: NSRange(location: 0, length: (statement as NSString).length)) != nil
        else {
          return nil
        }
        let line = text.substring(to: range.location).split(separator: "\n", omittingEmptySubsequences: false).count
        return Statement(place: "\(source.file):\(line)", text: statement)
      }
    }
  }()

  /// The idioms of one engine, each with the words that both take.
  static let idioms: [(pattern: String, instead: String)] = [
    (#"(?i)(?<!WITHOUT )\b_?rowid_?\b|\boid\b|AUTOINCREMENT"#, "an id of the table"),
    (#"INSERT OR|UPDATE OR|REPLACE INTO"#, "ON CONFLICT"),
    (#"\b(ifnull|iif|nvl)\("#, "coalesce, CASE"),
    (#"\b(instr|strpos|position)\(|\b(GLOB|REGEXP|MATCH|ILIKE|SIMILAR TO)\b"#, "lower(…) LIKE … ESCAPE"),
    (
      #"\b(json\w*|group_concat|string_agg|printf|format|typeof|hex|unhex|quote|char|total|zeroblob|randomblob)\("#,
      "Swift"
    ),
    (#"\b(strftime|datetime|julianday|unixepoch|now|random)\(|CURRENT_TIMESTAMP"#, "a value from Swift"),
    (#"\b(last_insert_rowid|changes|total_changes|nextval|lastval)\("#, "RETURNING"),
    (#"\bPRAGMA\b|\bATTACH\b|\bVACUUM\b"#, "nothing: the engine does it"),
    (#"\b(min|max)\([^()]*(\([^()]*\)[^()]*)*,"#, "CASE"),
    (#"DO UPDATE[^;]*?\b(\w+) = (\w+\()?\1\b(?!\.)"#, "the table's name before the column"),
    (#"CAST\((?!floor)(?![^()]* AS TEXT)"#, "CAST(floor(…) AS INTEGER)"),
    (#"\b(true|false)\b"#, "1 = 1, 1 = 0"),
    (#"==|::|\bISNULL\b|\bNOTNULL\b|\bIS NOT \?|\bCOLLATE\b|\bINDEXED BY\b"#, "the words of the standard"),
    (
      #"\b(SERIAL|TRIGGER|EXTENSION|PROCEDURE|LISTEN|NOTIFY|PARTITION|FOREIGN KEY|REFERENCES)\b|pg_|CREATE FUNCTION"#,
      "Swift"
    ),
    (#"\b(select|insert|update|delete|where|order by|group by|returning)\b (?=\w)"#, "keywords in capitals"),
    (#"LIKE (?!\?\d* ESCAPE|lower)"#, "LIKE ? ESCAPE"),
    (#"\bFOR UPDATE\b|\bBEGIN\b|\bSAVEPOINT\b|\bROLLBACK\b"#, "ServerStore.write"),
  ]

  @Test("are read by this test")
  func count() {
    #expect(Self.all.count > 250)
    #expect(Set(Self.all.map { $0.place.prefix { $0 != ":" } }).count > 40)
  }

  @Test("have no idiom of one database", arguments: idioms)
  func portable(_ pattern: String, _ instead: String) throws {
    let idiom = try NSRegularExpression(pattern: pattern, options: .dotMatchesLineSeparators)
    for statement in Self.all {
      let range = NSRange(location: 0, length: (statement.text as NSString).length)
      let found = idiom.firstMatch(in: statement.text, range: range)
      #expect(found == nil, "\(statement.place): \(statement.text); instead: \(instead)")
    }
  }
}
