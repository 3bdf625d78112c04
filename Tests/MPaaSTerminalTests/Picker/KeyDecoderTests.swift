import MPaaSTerminal
import MPaaSTestSupport
import Testing

@Suite("The key decoder") struct KeyDecoderTests {
  static let known: [(bytes: String, keys: [TerminalKey])] = [
    ("a张😀", [.character("a"), .character("张"), .character("😀")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7f}", [.backspace]), ("\u{8}", [.backspace]),
    ("\u{3}\u{17}\u{15}", [.control("c"), .control("w"), .control("u")]),
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
    ("\u{1b}OA\u{1b}OB\u{1b}OM", [.up, .down, .enter]),
    ("\u{1b}[5~\u{1b}[6~\u{1b}[3~\u{1b}[1~\u{1b}[4~", [.pageUp, .pageDown, .delete, .home, .end]),
    ("\u{1b}[H\u{1b}[F\u{1b}[Z", [.home, .end, .backTab]),
    ("\u{1b}[1;5C\u{1b}[1;3D\u{1b}[1;2A", [.wordRight, .wordLeft, .up]),
    ("\u{1b}b\u{1b}\u{7f}", [.alt("b"), .altBackspace]),
    ("\u{1b}[200~a\r\n张\u{1b}[A\u{1b}[201~b", [.paste("a\r\n张\u{1b}[A"), .character("b")]),
    ("\u{1b}[99;5u\u{1b}[27;5;119~\u{1b}[13u\u{1b}[9;2u", [.control("c"), .control("w"), .enter, .backTab]),
    ("\u{1b}[?1;2c\u{1b}[I", [.unknown, .unknown]),
    ("é", [.character("é")]),
  ]

  @Test("keys are known by their bytes, whole or in any pieces")
  func keys() {
    for (text, keys) in Self.known {
      var whole = KeyDecoder()
      #expect(whole.feed(text.utf8) == keys, "\(text.debugDescription)")
      var pieces = KeyDecoder()
      #expect(text.utf8.flatMap { pieces.feed([$0]) } == keys, "\(text.debugDescription) in pieces")
      #expect(!pieces.isWaiting)
    }
  }

  @Test("an escape is the Escape key when nothing follows, or another escape")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1b]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.feed([0x1b, 0x1b]) == [.escape])
    #expect(decoder.flush() == [.escape])
  }

  @Test("what is no UTF-8 is passed over, what is cut off waits")
  func invalid() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0xff, 0x61]) == [.unknown, .character("a")])
    #expect(decoder.feed([0xe5, 0xbc]).isEmpty)
    #expect(decoder.feed([0xa0]) == [.character("张")])
    #expect(decoder.feed([0xe5, 0x61]) == [.unknown, .character("a")])
  }

  @Test("any bytes in any pieces give the same keys, and none is kept for ever")
  func fuzz() {
    var random = SeededRandom(seed: 8)
    let alphabet = Array("\u{1b}[O;0129~AuabZ?:".utf8) + [0xe5, 0xbc, 0xa0, 0xf0, 0x9f, 0x80, 0xff, 3, 13, 0]
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      if random.next() % 8 == 0 { bytes += Array("\u{1b}[200~".utf8) + bytes + Array("\u{1b}[201~".utf8) }
      var whole = KeyDecoder()
      let expected = whole.feed(bytes) + whole.flush()
      var pieces = KeyDecoder()
      var keys: [TerminalKey] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(5, rest.count), using: &random)
        keys += pieces.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      keys += pieces.flush()
      #expect(keys == expected, "\(bytes)")
    }
  }
}
