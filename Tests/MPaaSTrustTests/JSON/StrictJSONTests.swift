import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("Strict JSON") struct StrictJSONTests {
  static func read(_ bytes: some Sequence<UInt8>, _ limits: JSONLimits = JSONLimits()) throws -> JSONValue {
    try Array(bytes).withUnsafeBytes { try JSONValue(strict: $0, limits) }
  }

  /// Checks that `text` is refused as `id`, at `offset` where it is said.
  static func refuses(_ text: [UInt8], _ id: String, at offset: Int? = nil, _ limits: JSONLimits = JSONLimits()) {
    do {
      _ = try read(text, limits)
      Issue.record("\(String(decoding: text, as: UTF8.self)) was read")
    } catch let error as TrustError {
      #expect(error.identifier == id, "\(String(decoding: text, as: UTF8.self))")
      #expect(error.code.exit == .malformedInput)
      if let offset { #expect(error.values["offset"] == String(offset)) }
    } catch {
      Issue.record(error)
    }
  }

  @Test("reads what every reader understands alike")
  func reads() throws {
    let text = #" {"a": [0, 9007199254740991, true, false, null], "补": "é\u00e9 \ud83d\ude00", "": {}} "#
    let value = try Self.read(text.utf8)
    #expect(value.object?["a"]?.array?[1] == .unsigned(1 << 53 - 1))
    #expect(value.object?["补"]?.string == "éé 😀")
    #expect(try Self.read("-7".utf8, JSONLimits(allowsNegative: true)) == .negative(-7))
  }

  @Test("refusal 10: a name twice in an object, however it is spelled")
  func nameTwice() {
    Self.refuses(Array(#"{"a":1,"b":2,"a":3}"#.utf8), "json-key-twice", at: 13)
    Self.refuses(Array(#"{"a":1,"\u0061":3}"#.utf8), "json-key-twice", at: 7)
    Self.refuses(Array(#"[{"x":{"a":1,"a":1}}]"#.utf8), "json-key-twice", at: 13)
  }

  @Test(
    "refusal 11: JSON that only some readers take",
    arguments: [
      "{\"a\":1,}", "[1,]", "[01]", "[1.0]", "[1e2]", "[-0]", "[.5]", "[1.]", "[+1]", "[NaN]", "{a:1}", "{'a':1}", "",
      "[1] 2", "[1]\u{0}", "// x\n1", "[\"\\x41\"]", "[\"\\ud800\"]", "[\"\\ud800\\u0041\"]", "[\"\\udc00\"]", "[0x10]",
      "\u{feff}{}", "[1", "\"a", "tru", "[1 2]", "{\"a\" 1}", "[\u{a0}1]", "[1.0e+3]", "[-0.0]",
    ])
  func notStrict(text: String) {
    Self.refuses(Array(text.utf8), "json-not-strict")
  }

  @Test("refusal 11: bytes that are not UTF-8")
  func notUTF8() {
    for bytes: [UInt8] in [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]] {
      Self.refuses([0x22] + bytes + [0x22], "json-not-strict")
      Self.refuses([0x22, 0x5c, 0x6e] + bytes + [0x22], "json-not-strict")
    }
  }

  @Test("refusal 12: numbers that some readers change, and negative ones where none belong")
  func range() {
    Self.refuses(Array("[9007199254740992]".utf8), "json-number-range", at: 1)
    Self.refuses(Array("[99999999999999999999999]".utf8), "json-number-range", at: 1)
    Self.refuses(Array("[-1]".utf8), "json-number-range", at: 1)
    Self.refuses(Array("[-9007199254740992]".utf8), "json-number-range", JSONLimits(allowsNegative: true))
  }

  @Test("refusal 13: base64 in other than its one spelling")
  func base64() {
    #expect(Base64.decode("QUI=".utf8) == Array("AB".utf8))
    #expect(Base64.decode("QUI".utf8, isPadded: false) == Array("AB".utf8))
    #expect(Base64.decode("".utf8) == [])
    for text in ["QUJ=", "QUI", "QUI==", "Q", "Q===", "QU I=", "QUI=\n", "Q-__", "====", "QR==", "QUI=QUI="] {
      #expect(Base64.decode(text.utf8) == nil, "\(text)")
    }
    for text in ["QUJ", "QUI=", "Q", "QR", "QUI\n"] { #expect(Base64.decode(text.utf8, isPadded: false) == nil) }
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8($0 * 5) }
      #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
      #expect(Base64.decode(Base64.encode(bytes, isPadded: false).utf8, isPadded: false) == bytes)
    }
  }

  @Test("refusal 16: more than 16 objects and arrays inside each other")
  func depth() throws {
    func nested(_ depth: Int, _ inside: String) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)).utf8)
    }
    #expect(try Self.read(nested(16, "1")).array?.count == 1)
    Self.refuses(nested(17, "1"), "json-too-deep", at: 16)
    Self.refuses(nested(16, "{}"), "json-too-deep", at: 16)
    Self.refuses(Array(repeating: 0x5b, count: 1 << 20), "json-too-deep", at: 16)
    Self.refuses(nested(3, ""), "json-too-deep", JSONLimits(depth: 2))
  }

  @Test(
    "refusal 17: strings that hide what they say",
    arguments: [
      "e\u{301}", "a\u{323}\u{302}", "\u{212b}", "\u{9c7}\u{9be}", "\u{1100}\u{1161}", "\u{202e}gpj.exe", "\u{200f}",
      "\u{2066}a\u{2069}", "\u{61c}", "a\u{85}", "\u{2028}", "\u{7f}", "tab\there", "line\nfeed",
    ])
  func notClean(string: String) {
    Self.refuses(Array("{\"a\":\"\(string)\"}".utf8), "json-string-not-clean")
    Self.refuses(Array("{\"\(string)\":1}".utf8), "json-string-not-clean")
    let escaped = string.utf16.map { unit in
      let hex = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
    Self.refuses(Array("[\"\(escaped.joined())\"]".utf8), "json-string-not-clean", at: 2)
  }

  @Test("letters of many scripts are clean", arguments: ["Größe", "কা", "購物車", "가", "हिन्दी", "עברית", "x\u{301}"])
  func clean(string: String) throws {
    #expect(try Self.read("[\"\(string)\"]".utf8).array?.first?.string == string)
  }

  @Test("an error says line and column, and a document that is too large is not read at all")
  func place() throws {
    let text = Array("{\n  \"a\": 1,\n  \"a\": 2\n}".utf8)
    let error = #expect(throws: TrustError.self) {
      try text.withUnsafeBytes { try JSONValue(strict: $0, file: "manifest.json") }
    }
    #expect(error?.place == .text(file: "manifest.json", line: 3, column: 3))
    Self.refuses(text, "json-too-large", JSONLimits(size: text.count - 1))
  }

  @Test("mutated documents are read or refused, and what is read has one canonical form that is read the same")
  func fuzz() throws {
    var random = SeededRandom(seed: 10)
    let sample = Array(#"{"a":[0,12,"x\u00e9\"",{"b":null,"c":true}],"é":{"d":[[[]]],"n":9007199254740991}}"#.utf8)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      guard let value = try? Self.read(bytes) else { continue }
      #expect(try Self.read(value.canonical()) == value)
    }
  }
}
