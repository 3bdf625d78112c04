import Crypto
import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

/// Documents that look like nothing that people write, and trip readers that take names for text.
private struct DocumentMaker {
  var random: SeededRandom

  /// Letters that normalization changes, that sort otherwise in UTF-16, that are escaped, or that need to be.
  private static let pieces: [String] = [
    "a", "b", "Z", "0", " ", "/", "\u{7f}", "\u{e9}", "e\u{301}", "\u{c5}", "\u{212b}", "A\u{30a}", "K", "\u{212a}",
    "ﬀ",
    "\u{ac00}", "\u{1100}\u{1161}", "\u{ff5e}", "\u{1f600}", "\u{fffd}", "\u{200d}", "\u{202e}", "\u{10ffff}", "补",
    "\u{344}", "\u{308}\u{301}", "\u{1e9b}\u{323}", "\u{37e}", ";", "\u{d55c}", "\u{feff}",
  ]
  private static let escapes: [String] = [
    #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u0000"#, #"\u00e9"#, #"\u0065\u0301"#,
    #"\ud83d\ude00"#, #"\uFFFF"#, #"\u212A"#, #"\u2028"#,
  ]
  /// The documents that Python's reader or writer refuses, and so must we.
  private static let broken: [[UInt8]] = [
    Array(#"\ud800"#.utf8), Array(#"\udc00x"#.utf8), [0xff], [0xc3], [0x0a], [0x1f], Array(#"\x"#.utf8),
    [0xed, 0xa0, 0x80],
  ]

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func document() -> [UInt8] {
    var text: [UInt8] = []
    object(&text, depth: 0)
    if chance(60) { text[Int.random(in: 1..<text.count, using: &random)] = UInt8.random(in: 1...255, using: &random) }
    return text
  }

  private mutating func object(_ text: inout [UInt8], depth: Int) {
    text += "{".utf8
    for index in 0..<Int.random(in: 0...5, using: &random) {
      if index > 0 { text += ",".utf8 }
      string(&text)
      text += chance(3) ? " : ".utf8 : ":".utf8
      value(&text, depth: depth + 1)
    }
    text += "}".utf8
  }

  private mutating func string(_ text: inout [UInt8]) {
    text += "\"".utf8
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      if chance(5) {
        text += (Self.escapes.randomElement(using: &random) ?? "").utf8
      } else if chance(400) {
        text += Self.broken.randomElement(using: &random) ?? []
      } else {
        text += (Self.pieces.randomElement(using: &random) ?? "").utf8
      }
    }
    text += "\"".utf8
  }

  private mutating func value(_ text: inout [UInt8], depth: Int) {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
    case 0: text += ["true", "false", "null"].randomElement(using: &random)?.utf8 ?? "".utf8
    case 1: text += String(Int64.random(in: -1000...1000, using: &random)).utf8
    case 2: text += String(UInt64.random(in: 0...(.max), using: &random)).utf8
    case 3 where chance(100):
      text += ["1.5", "1e2", "1.0", "01", "+1", "-"].randomElement(using: &random)?.utf8 ?? "".utf8
    case 3...5: string(&text)
    case 6: object(&text, depth: depth)
    default:
      text += "[".utf8
      for index in 0..<Int.random(in: 0...3, using: &random) {
        if index > 0 { text += ", ".utf8 }
        value(&text, depth: depth + 1)
      }
      text += "]".utf8
    }
  }
}

@Suite("Canonical JSON", .pythonPeers) struct CanonicalPeerTests {
  /// Prints the numbers of the lines on which Python says something else, and how many documents it could write.
  private static let script = """
    import base64, hashlib, json, sys
    from securesystemslib.formats import encode_canonical
    written = 0
    def whole(text):
        # What 64 bits do not hold, and a zero with a sign, we refuse.
        if text == "-0" or not -2**63 <= int(text) < 2**64: raise ValueError(text)
        return int(text)
    def finite(text):
        # Nor a number that no double holds; none can be written, but a later member may hide it.
        if float(text) in (float("inf"), -float("inf")): raise ValueError(text)
        return float(text)
    def members(pairs):
        # What a later member of the same name hides has to be text too.
        json.dumps(pairs, ensure_ascii=False).encode()
        return dict(pairs)
    for number, line in enumerate(open(sys.argv[1])):
        document, ours = line.split()
        try:
            value = json.loads(
                base64.b64decode(document).decode(), parse_int=whole, parse_float=finite, object_pairs_hook=members)
            digest = hashlib.sha256(encode_canonical(value).encode()).hexdigest()
            written += 1
        except Exception:
            digest = "-"
        if digest != ours: print("differs", number, document, ours, digest)
    print("written", written)
    """

  /// The digest of the canonical bytes; `-` where the document is refused.
  private func digest(_ document: [UInt8]) -> String {
    let canonical = try? document.withUnsafeBytes { try JSONValue(reading: $0, by: .exact).canonical() }
    return canonical.map { Data(SHA256.hash(data: $0)).hexadecimal } ?? "-"
  }

  @Test("of made-up documents has the bytes that python-tuf signs, and refuses what that cannot write")
  func peer() throws {
    let folder = try TemporaryFolder()
    var maker = DocumentMaker(random: SeededRandom(seed: 19))
    var left = SeededRandom.rounds(or: 4000)
    var written = 0
    let all = left
    while left > 0 {
      let count = min(left, 20_000)
      left -= count
      var lines = ""
      for _ in 0..<count {
        let document = maker.document()
        lines += Data(document).base64EncodedString() + " " + digest(document) + "\n"
      }
      let path = folder.path + "/documents"
      try lines.write(toFile: path, atomically: true, encoding: .utf8)
      let outcome = try Command.run(Fixture.python, ["-c", Self.script, path])
      let answers = outcome.output.split(separator: "\n")
      #expect(!answers.contains { $0.hasPrefix("differs") }, "\(outcome.output.prefix(2000)) \(outcome.errors)")
      written += try #require(Int(answers.last?.dropFirst(8) ?? ""), "\(outcome)")
    }
    // Most are documents that both can write.
    #expect(written > all / 2)
    print("canonical JSON: \(all) documents, \(written) written alike, \(all - written) refused alike")
  }

  @Test("keeps members apart whose names Unicode normalization makes equal")
  func names() throws {
    let text = "{\"e\u{301}\":1,\"\u{e9}\":2,\"\u{ff5e}\":3,\"\u{1f600}\":4}"
    let value = try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    #expect(value.object?.count == 4)
    #expect(value.object?["\u{e9}"] == 2)
    #expect(value.object?["e\u{301}"] == 1)
    #expect(try value.canonical() == Array(text.utf8))
    #expect(value.line == text)
  }
}
