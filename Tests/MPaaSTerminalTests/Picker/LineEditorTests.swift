import MPaaSTerminal
import MPaaSTestSupport
import Testing

@Suite("The line that is typed in") struct LineEditorTests {
  static func typed(_ keys: TerminalKey...) -> LineEditor {
    var line = LineEditor("张三 feng ")
    for key in keys { _ = line.handle(key) }
    return line
  }

  @Test("keys edit it as in a shell")
  func edits() {
    #expect(Self.typed(.control("w")).text == "张三 ")
    #expect(Self.typed(.control("u")).text.isEmpty)
    #expect(Self.typed(.backspace, .backspace).text == "张三 fen")
    #expect(Self.typed(.home, .delete).text == "三 feng ")
    #expect(Self.typed(.control("a"), .right, .control("k")).text == "张")
    #expect(Self.typed(.wordLeft, .character("x")).text == "张三 xfeng ")
    #expect(Self.typed(.left, .control("u"), .end, .character("y")).text == " y")
    #expect(Self.typed(.altBackspace).text == "张三 ")
    #expect(Self.typed(.control("a"), .alt("d")).text == " feng ")
  }

  @Test("a paste becomes one line without controls")
  func paste() {
    #expect(Self.typed(.control("u"), .paste("张\r\n三\t\u{1b}[31m四\n")).text == "张 三 [31m四")
  }

  @Test("a mark joins the character before it, and goes with it")
  func marks() {
    var line = LineEditor("")
    for key in [TerminalKey.character("e"), .character("\u{301}"), .character("b")] { _ = line.handle(key) }
    #expect(line.text == "e\u{301}b")
    #expect(line.cursor == 2)
    _ = line.handle(.backspace)
    _ = line.handle(.backspace)
    #expect(line.isEmpty)
    #expect(line.cursor == 0)
  }

  @Test("any keys leave the cursor inside of the line")
  func fuzz() {
    var random = SeededRandom(seed: 9)
    let keys: [TerminalKey] = [
      .character("a"), .character("张"), .character("\u{301}"), .character("👩"), .character("\u{200d}"),
      .character("💻"), .character(" "), .character("🇨"), .backspace, .delete, .control("w"), .control("k"), .left,
      .right, .home, .end, .wordLeft, .wordRight, .altBackspace, .paste("x\ny🇳"), .alt("d"),
    ]
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var line = LineEditor()
      for _ in 0..<30 {
        _ = line.handle(keys[Int.random(in: 0..<keys.count, using: &random)])
        #expect((0...line.text.count).contains(line.cursor))
        #expect(line.head + line.tail == line.text)
      }
    }
  }
}
