import MPaaSTerminal
import MPaaSTestSupport
import Testing

@Suite("What a picker does") struct PickerStateTests {
  static let words = (0..<100).map { "item \($0)" }

  static func source(_ words: [String] = words) -> PickerSource {
    PickerSource(
      total: words.count,
      find: { query, limit in
        let ids = words.indices.filter { words[$0].contains(query) || query.isEmpty }
        return PickerFindings(count: ids.count, ids: Array(ids.prefix(limit)))
      }, row: { id, _ in PickerRow(id: id, text: RowText(words[id])) })
  }

  static func state(isMultiple: Bool = false, _ words: [String] = words) -> PickerState {
    var options = PickerOptions()
    options.isMultiple = isMultiple
    var state = PickerState(options)
    _ = state.begin(with: source(words), rows: 10)
    state.find()
    return state
  }

  @Test("what is typed is found, and Enter picks the best")
  func picks() {
    var state = Self.state()
    #expect(state.findings.count == 100)
    for character in "m 42" { _ = state.handle(.character(character), rows: 10) }
    #expect(state.handle(.enter, rows: 10) == .picked([42], query: "m 42"))
  }

  @Test("Enter with nothing found picks nothing; Escape, Ctrl-C, and Ctrl-D on an empty line give up")
  func ends() {
    var state = Self.state()
    _ = state.handle(.paste("none"), rows: 10)
    #expect(state.handle(.enter, rows: 10) == .picked([], query: "none"))
    #expect(state.handle(.control("d"), rows: 10) == nil)
    #expect(state.handle(.escape, rows: 10) == .cancelled)
    #expect(state.handle(.control("c"), rows: 10) == .cancelled)
    var empty = Self.state()
    #expect(empty.handle(.control("d"), rows: 10) == .cancelled)
  }

  @Test("the pointer moves by rows and pages and stays on the list, which scrolls with it")
  func moves() {
    var state = Self.state()
    _ = state.handle(.up, rows: 10)
    #expect(state.pointed == 0)
    for _ in 0..<12 { _ = state.handle(.control("n"), rows: 10) }
    #expect(state.pointed == 12)
    #expect(state.top == 3)
    _ = state.handle(.pageDown, rows: 10)
    #expect(state.pointed == 22)
    #expect(state.top == 13)
    for _ in 0..<30 { _ = state.handle(.pageDown, rows: 10) }
    #expect(state.pointed == 99)
    #expect(state.top == 90)
    _ = state.handle(.pageUp, rows: 10)
    #expect(state.pointed == 89)
    #expect(state.top == 89)
    _ = state.handle(.character("9"), rows: 10)
    state.find()
    #expect(state.pointed == 0)
    #expect(state.top == 0)
  }

  @Test("Tab marks several, in the order in which they are picked; marks outlive another query")
  func marks() {
    var state = Self.state(isMultiple: true)
    for key in [TerminalKey.down, .tab, .up, .up, .tab, .character("7"), .tab] { _ = state.handle(key, rows: 10) }
    #expect(state.handle(.enter, rows: 10) == .picked([1, 7], query: "7") || state.marked == [1, 0, 7])
    var single = Self.state()
    _ = single.handle(.tab, rows: 10)
    #expect(single.marked.isEmpty)
    #expect(single.pointed == 1)
  }

  @Test("keys typed before there is anything to pick from are answered afterwards, in their order")
  func early() {
    var state = PickerState(PickerOptions())
    for key in [TerminalKey.character("4"), .down, .enter] { #expect(state.handle(key, rows: 10) == nil) }
    #expect(state.begin(with: Self.source(), rows: 10) == .picked([14], query: "4"))
    var given = PickerState(PickerOptions())
    _ = given.handle(.enter, rows: 10)
    #expect(given.handle(.control("c"), rows: 10) == .cancelled)
  }

  @Test("the end of a long list is reached though only its best are found at first")
  func long() {
    var state = Self.state((0..<20_000).map { "\($0)" })
    #expect(state.findings.count == 20_000)
    #expect(state.findings.ids.count < 1000)
    _ = state.handle(.alt(">"), rows: 10)
    #expect(state.pointed == 19_999)
    #expect(state.handle(.enter, rows: 10) == .picked([19_999], query: ""))
  }

  @Test("the screen has the line, the counts, and rows with pointer and marks, cut to the terminal")
  func screen() {
    var state = Self.state(isMultiple: true, ["张三丰在武当山", "李四"])
    _ = state.handle(.tab, rows: 3)
    let (lines, cursor) = state.screen(columns: 11, rows: 5)
    #expect(lines.map(\.text) == ["> ", "  2/2 (1)", " *张三丰…", "> 李四"])
    #expect(cursor == 2)
  }

  @Test("any keys in a terminal of any size neither crash nor leave it")
  func fuzz() {
    var random = SeededRandom(seed: 11)
    let keys: [TerminalKey] = [
      .character("1"), .character("张"), .backspace, .up, .down, .pageUp, .pageDown, .tab, .backTab, .home, .end,
      .left, .control("w"), .alt(">"), .alt("<"), .paste("item"), .unknown, .control("u"),
    ]
    for _ in 0..<SeededRandom.rounds(or: 60) {
      var state = Self.state(isMultiple: random.next() % 2 == 0)
      for _ in 0..<20 {
        let rows = Int.random(in: 0...8, using: &random)
        let columns = Int.random(in: 1...30, using: &random)
        _ = state.handle(keys[Int.random(in: 0..<keys.count, using: &random)], rows: rows)
        state.find()
        state.show(max(rows - 2, 1))
        let screen = state.screen(columns: columns, rows: rows)
        #expect(screen.lines.count <= max(rows, 1))
        #expect(screen.lines.dropFirst().allSatisfy { $0.displayWidth <= max(columns, 3) })
      }
    }
  }
}
