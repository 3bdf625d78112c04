import Foundation
import MPaaSPattern
import MPaaSTestSupport
import Testing

/// A text and an expression of RE2's own search tests, and whether the one is found in the other.
struct SearchCase: Sendable, CustomTestStringConvertible {
  let expression: String
  let text: String
  /// The bytes of the leftmost match and of its groups, such as `0-2 1-2 -`; `-` where there is none.
  let places: String
  var isFound: Bool { places != "-" }

  var testDescription: String { "\(expression) in \(text)" }

  /// The cases that are about scalars: `\C` matches bytes, and `\B` stands between the bytes of a scalar there.
  static let all: [SearchCase] = {
    guard let path = try? Fixture.path("services/regex/re2-search.txt"),
      let file = try? String(contentsOfFile: path, encoding: .utf8)
    else { return [] }
    var (cases, texts, isTexts, expression): ([SearchCase], [String], Bool, String) = ([], [], false, "")
    var line = 0
    for row in file.split(separator: "\n") {
      switch row {
      case "strings": (texts, isTexts) = ([], true)
      case "regexps": isTexts = false
      case _ where row.first == "\"":
        let text = unquoted(row.dropFirst().dropLast())
        if isTexts { texts.append(text) } else { (expression, line) = (text, 0) }
      case _ where row.first == "#" || !row.contains(";"): continue
      default:
        // The second of the four columns is the leftmost match, wherever it begins.
        let places = String(row.split(separator: ";")[1])
        let text = texts[line]
        line += 1
        guard !expression.contains("\\C"), !expression.contains("\\B") || text.utf8.allSatisfy({ $0 < 0x80 }) else {
          continue
        }
        cases.append(SearchCase(expression: expression, text: text, places: places))
      }
    }
    return cases
  }()

  /// A literal of Go without its quotation marks.
  private static func unquoted(_ text: Substring) -> String {
    var (bytes, rest): ([UInt8], Substring) = ([], text)
    while let character = rest.popFirst() {
      guard character == "\\", let sign = rest.popFirst() else {
        bytes += Array(String(character).utf8)
        continue
      }
      switch sign {
      case "n": bytes.append(0x0a)
      case "t": bytes.append(0x09)
      case "f": bytes.append(0x0c)
      case "a": bytes.append(0x07)
      case "v": bytes.append(0x0b)
      case "r": bytes.append(0x0d)
      case "x", "u":
        let count = sign == "x" ? 2 : 4
        let value = UInt32(rest.prefix(count), radix: 16) ?? 0
        rest = rest.dropFirst(count)
        bytes += sign == "x" ? [UInt8(value)] : Array(String(Unicode.Scalar(value) ?? " ").utf8)
      default: bytes += Array(String(sign).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("The search for expressions") struct PatternSearchTests {
  @Test("finds what RE2 finds", .fixtures)
  func search() throws {
    #expect(SearchCase.all.count > 1_000)
    for item in SearchCase.all {
      let found = try Pattern(item.expression).matches(item.text)
      #expect(found == item.isFound, "\(item.testDescription)")
    }
  }

  @Test(
    "knows classes, flags and escapes of RE2",
    arguments: [
      (#"^\w+@\w+\.com$"#, "user@example.com", true), (#"^\w+$"#, "ümlaut", false), ("(?i)straße", "STRASSE", false),
      ("(?i)σ", "ς", true), ("(?i)k", "\u{212a}", true), (#"^\p{Han}+$"#, "中文", true), (#"\p{^Han}"#, "中文", false),
      (#"\PL"#, "a1", true), ("[[:^digit:]]", "12", false), (#"\Qa.b\E+"#, "a.bb", true), ("(?m)^b$", "a\nb", true),
      ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true), ("^$", "", true), (#"\x{1F680}"#, "🚀", true),
      ("^.$", "🚀", true),
      (#"\123"#, "S", true), (#"\bcat\b"#, "a cat b", true), (#"\bcat\b"#, "concat", false), ("a{,2}", "a{,2}", true),
      ("x*", "", true), ("[^a]", "\n", true), ("[]a]", "]", true), ("(?P<name>a)(?<other>b)", "ab", true),
    ])
  func language(_ expression: String, _ text: String, _ isFound: Bool) throws {
    #expect(try Pattern(expression).matches(text) == isFound)
  }

  @Test(
    "refuses what RE2 refuses, and says where",
    arguments: [
      ("(a", PatternError(.missingParenthesis, at: 0)), ("a)", PatternError(.unexpectedParenthesis, at: 1)),
      ("[a", PatternError(.missingBracket, at: 0)), ("[z-a]", PatternError(.badRange, at: 2)),
      ("*a", PatternError(.nothingToRepeat, at: 0)), ("a**", PatternError(.repeatedTwice, at: 2)),
      ("a{1001}", PatternError(.badCount, at: 0)), ("(a{100}){11}", PatternError(.badCount, at: 0)),
      ("(?=a)b", PatternError(.notRegular, at: 0)), ("(?<!a)b", PatternError(.notRegular, at: 0)),
      (#"(a)\1"#, PatternError(.notRegular, at: 3)), (#"\q"#, PatternError(.badEscape, at: 0)),
      (#"\p{Nothing}"#, PatternError(.badClass, at: 0)), ("[[:nothing:]]", PatternError(.badClass, at: 1)),
      ("(?x)a", PatternError(.badGroup, at: 0)), (#"\C"#, PatternError(.badEscape, at: 0)),
    ])
  func refusals(_ expression: String, _ error: PatternError) {
    #expect(throws: error) { try Pattern(expression) }
  }

  @Test("refuses expressions beyond its limits")
  func limits() {
    #expect(throws: PatternError(.tooLong, at: 1024)) { try Pattern(String(repeating: "a", count: 1025)) }
    let deep = String(repeating: "(", count: 300) + String(repeating: ")", count: 300)
    #expect(throws: PatternError.self) { try Pattern(deep) }
    #expect(throws: PatternError(.tooLarge, at: 0)) { try Pattern("([ab]{1,31}c?){1,32}d") }
  }
}
