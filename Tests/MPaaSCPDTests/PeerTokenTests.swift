import MPaaSCPD
import MPaaSTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Tokens of sources") struct PeerTokenTests {
  /// Rows that differ from PMD's table, and the reason, as Documentation/CPD.md has them.
  static let differences: [String: (rows: Int, reason: String)] = [
    "swift/Issue2698_Emoji": (10, "PMD counts a character past 16 bits twice, and is wrong after it"),
    "swift/Swift5.1": (12, "PMD takes getter: and setter: for one word, whatever they stand for"),
    "objectivec/big_sample": (29, "PMD drops the type of a block in a parameter"),
    "cpp/continuation": (7, "a text keeps the line break that it goes across; a name is not put together across one"),
    "cpp/continuation_intra_token": (10, "a name is not put together across line breaks"),
    "javascript/lineContinuations": (4, "a text keeps the line break that it goes across"),
    "java/ignoreSpecialAnnotations": (34, "CPD-START stands in a comment here, not in an annotation"),
    "xml/simple": (8, "blanks between tags are no token, and <?xml is two"),
  ]

  static let tables: [String] = {
    guard let root = try? Fixture.path("scan/cpd/pmd-testdata") else { return [] }
    return ["swift", "objectivec", "cpp", "java", "kotlin", "javascript", "lua", "xml"].flatMap { language in
      ((try? FileManager.default.contentsOfDirectory(atPath: root + "/" + language)) ?? []).sorted()
        .filter { !$0.hasSuffix(".txt") }.map { language + "/" + $0 }
    }
  }()

  @Test("differ from PMD's tables only as the list of differences says", .fixtures, arguments: tables)
  func peer(source: String) throws {
    let root = try Fixture.path("scan/cpd/pmd-testdata")
    let stem = source.split(separator: ".").dropLast().joined(separator: ".")
    // Tables of options that PMD has and this has not: names and lists of numbers left out, blocks of #if skipped.
    let names = [stem, stem + "_no_ignore_annots", stem + "_noSkip", stem + "_noignore"]
    guard let table = names.first(where: { FileManager.default.fileExists(atPath: "\(root)/\($0).txt") }),
      !["cpp/ignoreIdents", "cpp/ignoreLiterals", "java/ignoreLiterals"].contains(stem),
      !stem.hasPrefix("java/ignoreIdents")
    else { return }
    let expected = try PeerTable(String(contentsOfFile: "\(root)/\(table).txt", encoding: .utf8))
    let own = try PeerTable(of: "\(root)/\(source)", ignoresImports: !stem.hasPrefix("swift/"))
    let differences = expected.differences(from: own)
    #expect(differences.count == Self.differences[stem]?.rows ?? 0, "\(stem): \(differences.prefix(6))")
  }
}

/// A table of tokens as PMD's tests have them: line, image, columns.
struct PeerTable {
  struct Row: Hashable, CustomStringConvertible {
    var line: Int
    var image: String
    var begin: Int
    var end: Int
    var description: String { "L\(line) [\(image)] \(begin) \(end)" }
  }

  var rows: [Row] = []

  init(_ text: String) {
    var line = 0
    for row in text.split(separator: "\n").dropFirst() {
      if row.hasPrefix("L"), let number = Int(row.dropFirst()) {
        line = number
        continue
      }
      guard row.hasPrefix("    [") else { continue }
      let words = row.split(separator: " ")
      guard let end = Int(words[words.count - 1]), let begin = Int(words[words.count - 2]) else { continue }
      var image = row.dropFirst(5)
      while image.last?.isNumber == true || image.last == " " { image = image.dropLast() }
      rows.append(Row(line: line, image: String(image.dropLast()), begin: begin, end: end))
    }
  }

  init(of path: String, ignoresImports: Bool) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let language = try #require(SourceLanguage(path: path))
    let tokens = PositionedTokens(bytes, language, ignoresImports: ignoresImports)
    for token in tokens.tokens where !token.isCut {
      var image = tokens.text(token)
      for (sign, spelled) in [("\\", "\\\\"), ("[", "\\["), ("]", "\\]"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")] {
        image = image.replacing(sign, with: spelled)
      }
      if image.count > 35 { image = String(image.prefix(34)) }
      rows.append(
        Row(
          line: tokens.line(token.start), image: image, begin: tokens.column(token.start),
          end: tokens.column(token.end)))
    }
  }

  /// The rows that only one of both tables has, in their order.
  func differences(from other: PeerTable) -> [String] {
    other.rows.difference(from: rows).map {
      switch $0 {
      case .insert(_, let row, _): "+ \(row)"
      case .remove(_, let row, _): "- \(row)"
      }
    }
  }
}
