/// Reads the findings out of what a step prints: those that compilers and the commands of the kit tell with their places.
///
/// `FILE:LINE:COLUMN: error: TEXT [CODE]`, the same without column or severity, `FILE: error: TEXT`, and `error: TEXT`
/// whose place may follow on a line of its own.
package struct FindingReader: Sendable {
  private let words: FindingWords
  /// True of a path that is a file in the folder of the step.
  private let isFile: @Sendable (String) -> Bool
  /// An error whose place may come yet.
  private var open: StepFinding?
  private var seen: Set<StepFinding> = []
  package private(set) var findings: [StepFinding] = []

  /// Findings beyond this many are dropped: no host shows so many.
  package static let most = 1000

  package init(_ words: FindingWords = .usual, isFile: @escaping @Sendable (String) -> Bool) {
    self.words = words
    self.isFile = isFile
  }

  /// Takes a line without its end.
  package mutating func take(_ line: String) {
    let text = Self.plain(line)
    if let open, let place = place(after: text) {
      self.open = nil
      return add(
        StepFinding(
          open.severity, open.message, code: open.code, file: place.file, line: place.line, column: place.column))
    }
    // Details of an error stand between it and its place.
    if text.first == " " { return }
    close()
    if let finding = located(text) { return add(finding) }
    if let (severity, rest) = words.split(text[...]), severity != .note {
      let (message, code) = Self.coded(rest)
      open = StepFinding(severity, message, code: code)
    }
  }

  /// Takes the end of all lines.
  package mutating func close() {
    if let open { add(open) }
    open = nil
  }

  private mutating func add(_ finding: StepFinding) {
    guard findings.count < Self.most, seen.insert(finding).inserted else { return }
    findings.append(finding)
  }

  /// A place on a line of its own: two blanks, the word, the place.
  private func place(after text: String) -> TextPlace? {
    guard text.hasPrefix("  ") else { return nil }
    let parts = text.drop { $0 == " " }.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, words.places.contains(String(parts[0])) else { return nil }
    let place = TextPlace(parts[1] + ":")
    return isFile(place.file) ? place : nil
  }

  private func located(_ text: String) -> StepFinding? {
    let place = TextPlace(text[...])
    let rest = place.rest.drop { $0 == " " }
    guard !place.file.isEmpty, !rest.isEmpty, isFile(place.file) else { return nil }
    let split = words.split(rest)
    guard split != nil || place.line != nil else { return nil }
    let (message, code) = Self.coded(split?.rest ?? rest)
    return StepFinding(
      split?.severity ?? .warning, message, code: code, file: place.file, line: place.line, column: place.column)
  }

  /// Takes the identifier in brackets from the end of a sentence.
  private static func coded(_ text: Substring) -> (message: String, code: String?) {
    let whole = (message: String(text), code: String?.none)
    guard text.last == "]", let open = text.lastIndex(of: "["), open > text.startIndex else { return whole }
    let code = text[text.index(after: open)...].dropLast()
    let blank = text.index(before: open)
    guard !code.isEmpty, !code.contains(" "), text[blank] == " " else { return whole }
    return (String(text[..<blank]), String(code))
  }

  /// The line without escape sequences of terminals.
  static func plain(_ line: String) -> String {
    guard line.utf8.contains(where: { $0 == 0x1b || $0 == 0x0d }) else { return line }
    var text = String.UnicodeScalarView()
    var scalars = line.unicodeScalars[...]
    while let last = scalars.last, "\r\n".unicodeScalars.contains(last) { scalars.removeLast() }
    while let scalar = scalars.popFirst() {
      guard scalar == "\u{1b}" else {
        text.append(scalar)
        continue
      }
      guard scalars.first == "[" else { continue }
      scalars = scalars.drop { !(0x40...0x7e).contains($0.value) || $0 == "[" }.dropFirst()
    }
    return String(text)
  }
}
