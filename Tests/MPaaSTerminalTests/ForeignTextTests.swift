import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import Synchronization
import Testing

/// The bytes of a terminal, and a terminal that gets it.
private final class Screen: Sendable {
  private let text = Mutex("")
  var shown: String { text.withLock { $0 } }

  func stream(isTerminal: Bool = true) -> OutputStream {
    OutputStream(isTerminal: isTerminal, width: { 40 }, write: { part in self.text.withLock { $0 += part } })
  }

  func terminal(
    _ language: Language = .english, isTerminal: Bool = true, isJSON: Bool = false,
    colour: OutputSettings.Colour = .always
  ) -> Terminal {
    Terminal(
      catalogue: Catalogue(language: language),
      settings: OutputSettings(isJSON: isJSON, colour: colour, verbosity: .verbose), environment: [:],
      output: stream(isTerminal: isTerminal), errors: stream(isTerminal: isTerminal))
  }

  /// The characters that stand outside of our colours and that a terminal should not have got.
  var leaks: [Unicode.Scalar] {
    let text = shown.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
    return text.unicodeScalars.filter { scalar in
      guard scalar != "\n" else { return false }
      return [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
  }
}

@Suite("Foreign text on a terminal") struct ForeignTextTests {
  static let hostile =
    "a\u{1b}]0;t\u{7}b\rc\u{9b}2J\u{0}\u{8}\u{7f}\u{85}\nerror: d\u{202e}e\u{2066}f\u{200f}\u{61c}\u{2028}g\u{feff}\u{e0041}"

  /// Values for whatever a text may name.
  private static func values(of template: String) -> [String: String] {
    var values: [String: String] = [:]
    for match in template.matches(of: #/\{([A-Za-z0-9_-]+)\}/#) { values[String(match.1)] = hostile }
    return values
  }

  @Test("no diagnostic, with whatever values, place and details, gives a control character or a line of its own")
  func diagnostics() throws {
    for language in [Language.english, .simplifiedChinese] {
      let catalogue = Catalogue(language: language)
      let keys = catalogue.keys(startingWith: "diagnostic.")
      #expect(keys.count > 1000)
      for key in keys where !key.hasSuffix(".explain") && !key.hasSuffix(".help") {
        let screen = Screen()
        let terminal = screen.terminal(language)
        let texts = catalogue.text(key) + (catalogue.optionalText(key + ".help") ?? "")
        let values = Self.values(of: texts)
        let diagnostic = Diagnostic(
          DiagnosticID(String(key.dropFirst("diagnostic.".count))), values,
          at: .text(file: Self.hostile, line: 1, column: 2), exit: .malformedInput, details: [.init(key, values)])
        terminal.error(diagnostic)
        terminal.warning(diagnostic)
        #expect(screen.leaks.isEmpty, "\(key)")
        // The sentence, the detail, the place, the help and the code, of the error and of the warning.
        #expect(screen.shown.split(separator: "\n").count <= 9, "\(key)")
      }
    }
  }

  @Test("lines, tables, notes, questions and progress give none; a cell has neither breaks nor tabs")
  func documents() {
    let text = Self.hostile
    for width in [nil, 20, 40] as [Int?] {
      let table = Table(
        columns: [.init("A"), .init(text, isOptional: true), .init("C", isNumeric: true)],
        rows: [[StyledText(text), StyledText(text + "\t", .path), StyledText(verbatim: text)]])
      let lines = table.lines(width: width)
      // The heading and the row, which goes on below where it is narrow.
      #expect(width == nil ? lines.count == 2 : lines.count >= 2)
      #expect(!lines.contains { $0.text.unicodeScalars.contains { $0.value < 0x20 } })
    }
    for colour in [OutputSettings.Colour.always, .never] {
      let screen = Screen()
      let terminal = screen.terminal(colour: colour)
      terminal.print([
        .line(StyledText(text, .bad)), .line("x \(text)"), .line(StyledText(verbatim: text)),
        .table(Table(columns: [.init("A")], rows: [[StyledText(text)]])),
      ])
      terminal.note(StyledText(text))
      terminal.note(StyledText(verbatim: text))
      terminal.detail(StyledText(text, .faint))
      terminal.data.write(text + "\n")
      Array(text.utf8).withUnsafeBytes(terminal.data.writeBytes)
      var cut = StyledText(text)
      cut.append(text, .match)
      terminal.print([.line(cut.truncated(toWidth: 30)), .line(RowText(text).fitted(to: 30))])
      #expect(screen.leaks.isEmpty)
      #expect(screen.shown.contains(#"a\u{1b}]0;t\u{7}b\u{d}c\u{9b}2J"#))
    }
  }

  @Test("data comes to a pipe byte for byte, and to a terminal with escapes; a cut keeps that")
  func data() {
    let text = Self.hostile
    let pipe = Screen()
    let terminal = pipe.terminal(isTerminal: false, colour: .never)
    terminal.data.write(text)
    terminal.print([.line(StyledText(verbatim: text))])
    terminal.print([.line(RowText(text, isRaw: true).fitted(to: nil))])
    #expect(pipe.shown == text + text + "\n" + text + "\n")
    #expect(StyledText(verbatim: "\u{1b}" + text).truncated(toWidth: 3).visible.text.hasPrefix(#"\u{1b}"#))
  }

  @Test("JSON on a terminal stays the same document without what a terminal would obey")
  func json() throws {
    struct Result: Presentable {
      let name: String
      func document(_ catalogue: Catalogue) -> Document { [] }
    }
    let screen = Screen()
    let name = "\\" + Self.hostile + "张"
    try screen.terminal(isJSON: true).print(Result(name: name))
    #expect(screen.leaks.isEmpty)
    let value = try Array(screen.shown.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    #expect(value.object?["name"]?.string == name)
  }
}
