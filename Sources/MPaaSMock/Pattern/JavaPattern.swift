import MPaaSPattern

/// A regular expression in Java's language, which stubs write, and which takes texts as a whole.
///
/// Expressions that RE2 knows, too, run in linear time by `Pattern`. Look-around, back-references, possessive repetitions and classes
/// within classes run on a machine that goes back, within a number of steps: a text for which they do not suffice does
/// not match.
package struct JavaPattern: Sendable {
  /// The most bytes of an expression.
  package static let longest = 16 << 10
  /// The steps of a match that goes back: less than 100 ms.
  package static let mostSteps = 4_000_000

  package let text: String
  private let linear: Pattern?
  private let program: JavaPatternProgram
  /// The numbers of groups that have names.
  package let names: [String: Int]
  package let groups: Int
  /// The text that alone is taken, where the expression has no signs of its own.
  private let literal: String?
  private let takesAll: Bool

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - matchesLineEnds: Whether a dot takes line ends, as in stubs; `(?-s)` ends it.
  ///   - ignoresCase: Whether it begins as if `(?i)` stood there.
  /// - Throws: The first thing that cannot be there, with its place in scalars.
  package init(
    _ text: String, matchesLineEnds: Bool = true, ignoresCase: Bool = false
  ) throws(JavaPatternError) {
    guard text.utf8.count <= Self.longest else {
      throw JavaPatternError(reason: "the expression is longer than 16 KiB", offset: 0)
    }
    var parser = JavaPatternParser(text, matchesLineEnds: matchesLineEnds, ignoresCase: ignoresCase)
    let node = try parser.parse()
    program = try JavaPatternProgram(node, groups: parser.groups)
    self.text = text
    names = parser.names
    groups = parser.groups
    let isLiteral = !ignoresCase && !text.utf8.contains { Self.signs.contains($0) }
    literal = isLiteral ? text : nil
    takesAll = matchesLineEnds && text == ".*"
    if isLiteral || takesAll || Self.isJavaOnly(text) {
      linear = nil
    } else {
      let flags = matchesLineEnds ? "(?s)" : ""
      linear = try? Pattern("\(flags)\\A(?:\(text))\\z", ignoresCase: ignoresCase)
    }
  }

  private static let signs = Set("\\^$.|?*+()[]{}".utf8)

  /// Tells whether the text may mean something else to RE2, though it would read it.
  private static func isJavaOnly(_ text: String) -> Bool {
    var isInBrackets = false
    var previous: UInt8 = 0
    for byte in text.utf8 {
      let isEscaped = previous == UInt8(ascii: "\\")
      if isEscaped, "ZGhHvVRQEkxuU".utf8.contains(byte) { return true }
      if !isEscaped {
        if byte == UInt8(ascii: "[") {
          if isInBrackets { return true }
          isInBrackets = true
        } else if byte == UInt8(ascii: "]") {
          isInBrackets = previous == UInt8(ascii: "[") || previous == UInt8(ascii: "^") ? isInBrackets : false
        } else if byte == UInt8(ascii: "&"), previous == byte {
          return true
        } else if byte == UInt8(ascii: "$") {
          return true
        }
      }
      previous = isEscaped ? 0 : byte
    }
    return false
  }

  /// Tells whether the expression takes the whole text.
  package func matches(_ text: String) -> Bool {
    if takesAll { return true }
    if let literal { return literal == text && literal.utf8.elementsEqual(text.utf8) }
    if let linear { return linear.matches(text) }
    var machine = JavaPatternMachine(program, text.unicodeScalars.map(\.value), steps: Self.mostSteps)
    return machine.matches(at: 0, whole: true)
  }

  /// Finds the first part that the expression takes, with its groups; nil in the list for one that took nothing.
  package func firstMatch(in text: String) -> [String?]? { firstMatch(in: text.unicodeScalars.map(\.value)) }

  private func firstMatch(in scalars: [UInt32]) -> [String?]? {
    var machine = JavaPatternMachine(program, scalars, steps: Self.mostSteps)
    for start in 0...scalars.count where machine.stepsLeft > 0 && machine.matches(at: start, whole: false) {
      return (0...groups).map { group in
        let (from, to) = (machine.slots[group * 2], machine.slots[group * 2 + 1])
        return from >= 0 && to >= from ? Self.text(scalars[from..<to]) : nil
      }
    }
    return nil
  }

  /// Puts `template` in the place of each part that the expression takes.
  package func replacing(in text: String, with template: String) -> String {
    let scalars = text.unicodeScalars.map(\.value)
    var machine = JavaPatternMachine(program, scalars, steps: Self.mostSteps)
    var result: [UInt32] = []
    var place = 0
    while place <= scalars.count {
      if machine.stepsLeft > 0, machine.matches(at: place, whole: false), machine.slots[1] >= place {
        result += template.unicodeScalars.map(\.value)
        if machine.slots[1] == place {
          if place < scalars.count { result.append(scalars[place]) }
          place += 1
        } else {
          place = machine.slots[1]
        }
      } else {
        if place < scalars.count { result.append(scalars[place]) }
        place += 1
      }
    }
    return Self.text(result[...])
  }

  private static func text(_ scalars: ArraySlice<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.compactMap { Unicode.Scalar($0) })
    return String(text)
  }
}

extension JavaPattern: Equatable {
  package static func == (one: JavaPattern, other: JavaPattern) -> Bool { one.text == other.text }
}
