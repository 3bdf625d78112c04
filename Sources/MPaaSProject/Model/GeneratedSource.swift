import MPaaSSupport

/// A source file that was generated: it knows whether somebody has edited it, and keeps what they may write in it.
package struct GeneratedSource: Sendable, Equatable {
  package let name: String
  /// The origin, for its first line.
  package let origin: String
  package let command: String
  package let body: String

  package init(name: String, origin: String, command: String, body: String) {
    self.name = name
    self.origin = origin
    self.command = command
    self.body = body
  }

  static let begin = "// MARK: - Yours from here: kept when this file is made again"
  static let end = "// MARK: - Yours until here"
  private static let mark = "// Digest: "
  private static let advice = "// Your own code belongs in another file, or between the marks at the end of this one."

  /// The whole file.
  ///
  /// - Parameter kept: What stands between the two marks.
  package func text(keeping kept: String = "\n") -> String {
    let rest = body + "\n" + Self.begin + "\n"
    let head = ["// \(name): made by `\(command)` from \(origin)."].flatMap { Self.wrapped($0) }
    let digest = Self.digest(head.joined(separator: "\n") + "\n" + rest)
    return
      (head + [
        Self.mark + digest, Self.advice,
      ]).joined(separator: "\n") + "\n\n" + rest + kept + Self.end + "\n"
  }

  private static func wrapped(_ text: String) -> [String] {
    // A file's name may have the end of a line in it, behind which it would be code.
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard line.count > 100 else { return [line] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > 100 {
        lines.append(current)
        current = "//"
      }
      current += (current.isEmpty ? "" : " ") + word
    }
    return lines + [current]
  }

  /// The outcomes for a file of that name.
  package enum Outcome: Sendable, Equatable {
    case new(String)
    case unchanged
    case changed(String)
    /// It was edited outside the marks, or is none of ours: what would replace it.
    case edited(String)
  }

  /// The outcome where a file is there already.
  package func outcome(over existing: String?) -> Outcome {
    guard let existing else { return .new(text()) }
    guard let parts = Self.parts(existing) else { return .edited(text()) }
    let text = text(keeping: parts.kept)
    if text == existing { return .unchanged }
    return parts.isIntact ? .changed(text) : .edited(text)
  }

  /// The state of a file that was generated.
  enum State { case untouched, edited }

  /// The state of a file that a command made of a file, with nothing of people's in it or with something; nil where it is
  /// of another origin, or none of ours.
  static func state(of text: String, named name: String, command: String, origin: String) -> State? {
    let head = wrapped("// \(name): made by `\(command)` from \(origin).").joined(separator: "\n") + "\n"
    guard text.hasPrefix(head), let parts = parts(text) else { return nil }
    return parts.isIntact && parts.kept.allSatisfy(\.isWhitespace) ? .untouched : .edited
  }

  /// The text between the marks, and whether the rest is as it was made; nil where it is none of ours.
  private static func parts(_ text: String) -> (kept: String, isIntact: Bool)? {
    guard let begin = text.range(of: Self.begin + "\n"),
      let end = text.range(of: Self.end + "\n", after: begin.upperBound),
      let mark = text.range(of: Self.mark), mark.upperBound < begin.lowerBound
    else { return nil }
    let head = text[..<mark.lowerBound]
    let afterMark = text[mark.upperBound...]
    let digest = afterMark.prefix { !$0.isNewline }
    guard let blank = afterMark.range(of: "\n\n", after: afterMark.startIndex) else { return nil }
    let rest = text[blank.upperBound..<begin.upperBound]
    let isIntact =
      Self.digest(head + String(rest)) == digest && text[end.upperBound...].isEmpty
      && afterMark[..<blank.lowerBound] == digest + "\n" + advice
    return (String(text[begin.upperBound..<end.lowerBound]), isIntact)
  }

  /// FNV-1a over the UTF-8, in 64 bits: it tells an edit from none, not a forger from the owner.
  private static func digest(_ text: String) -> String {
    let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return value.padded(to: 16, radix: 16)
  }
}

extension StringProtocol {
  fileprivate func range(of text: String, after start: Index? = nil) -> Range<Index>? {
    self[(start ?? startIndex)...].firstRange(of: text)
  }
}
