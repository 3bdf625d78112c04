/// A literal of a source: where what it says stands, and how it is to be read.
struct TextLiteral {
  enum Kind { case swift, c, raw }
  let kind: Kind
  /// Between the quotes.
  var content: Range<Int>
  /// The number of `#` before its quote.
  var hashes = 0
  var isMultiline = false
  /// From `\(` to behind the `)` of each.
  var interpolations: [Range<Int>] = []

  /// The offset of its first mark.
  var start: Int { content.lowerBound - (isMultiline ? 3 : 1) - hashes }
}

/// An argument as far as it has been read.
struct TextArgument {
  var start: Int
  var label: Range<Int>?
  var literals: [TextLiteral] = []
  /// The literals of a condition's first branch, once its colon is there.
  var firstBranch: [TextLiteral]?
  var isConditional = false
  /// The only other thing that stands there.
  var other: Range<Int>?
  var others = 0

  /// The texts that it can be; none where it is more than literals.
  var alternatives: [[TextLiteral]] {
    guard others == 0, !literals.isEmpty else { return [] }
    guard isConditional else { return [literals] }
    guard let firstBranch, !firstBranch.isEmpty else { return [] }
    return [firstBranch, literals]
  }

  var isEmpty: Bool { literals.isEmpty && others == 0 && !isConditional }
}

extension TextScanner {
  /// A call or an interpolation that is open.
  struct Frame {
    enum Kind {
      case call(Int)
      case message(Int)
      case interpolation
      /// A literal in brackets: `CFSTR("…")`, `@("…")`.
      case group
    }
    var kind: Kind
    /// Brackets that are open inside it.
    var depth = 0
    /// Its beginning.
    var start: Int
    var line: Int
    var arguments: [TextArgument] = []
    /// The literal that a function follows.
    var receiver: TextLiteral?
  }

  /// The text of a call, and its place, by which it is sorted.
  struct Found {
    enum Item {
      case text(SourceText)
      case dynamic(DynamicText)
      case wrapper(TextWrapper)
    }
    let offset: Int
    let item: Item
  }

  /// Tells whether the innermost thing that is open is a call and nothing is bracketed in it.
  private var isInArgument: Bool {
    guard let top = frames.last, top.depth == 0 else { return false }
    switch top.kind {
    case .call, .message: return true
    case .interpolation, .group: return false
    }
  }

  private var top: Int { frames.count - 1 }

  /// Changes the argument that is being read.
  private mutating func argument(_ change: (inout TextArgument) -> Void) {
    guard let last = frames.indices.last, !frames[last].arguments.isEmpty else { return }
    change(&frames[last].arguments[frames[last].arguments.count - 1])
  }

  /// Something in an argument that is no literal.
  mutating func noteOther(_ range: Range<Int>) {
    guard isInArgument else { return }
    argument { argument in
      argument.others += 1
      argument.other = argument.other.map { $0.lowerBound..<range.upperBound } ?? range
    }
  }

  mutating func noteLiteral(_ literal: TextLiteral) {
    guard isInArgument else {
      guard frames.count > 1, case .group = frames[top].kind, frames[top].depth == 0 else { return }
      frames[top].arguments[0].literals.append(literal)
      return
    }
    argument { $0.literals.append(literal) }
  }

  mutating func open(at offset: Int) {
    if isInArgument {
      if text[offset] == UInt8(ascii: "("), beginsGroup(offset) {
        frames.append(Frame(kind: .group, start: offset, line: 0, arguments: [TextArgument(start: offset + 1)]))
        return
      }
      noteOther(offset..<offset + 1)
    } else if case .group = frames[top].kind, frames[top].depth == 0 {
      frames[top].arguments[0].others += 1
    }
    frames[top].depth += 1
  }

  /// Tells whether a bracket holds the argument's only literal.
  private func beginsGroup(_ offset: Int) -> Bool {
    guard language == .c, frames.count < 10_000, let argument = frames[top].arguments.last, argument.others == 0 else {
      return false
    }
    let next = skipBlank(offset + 1)
    return byte(next) == UInt8(ascii: "\"") || (byte(next) == UInt8(ascii: "@") && byte(next + 1) == UInt8(ascii: "\""))
  }

  mutating func close(at offset: Int) -> Int {
    if frames[top].depth > 0 {
      frames[top].depth -= 1
      return offset + 1
    }
    let byte = text[offset]
    switch frames[top].kind {
    case .interpolation:
      guard byte == UInt8(ascii: ")"), !openLiterals.isEmpty else { return offset + 1 }
      var literal = openLiterals.removeLast()
      literal.interpolations.append(frames[top].start..<offset + 1)
      frames.removeLast()
      return continueSwiftString(literal, from: offset + 1)
    case .call(let function):
      let frame = frames.removeLast()
      if byte == UInt8(ascii: ")") { finish(frame, functions.all[function], end: offset) } else { return offset }
    case .message(let function):
      let frame = frames.removeLast()
      if byte == UInt8(ascii: "]") { finish(frame, functions.all[function], end: offset) } else { return offset }
    case .group:
      let group = frames.removeLast()
      guard byte == UInt8(ascii: ")"), let inside = group.arguments.first, inside.others == 0 else {
        noteOther(group.start..<offset + 1)
        return byte == UInt8(ascii: ")") ? offset + 1 : offset
      }
      for literal in inside.literals { noteLiteral(literal) }
    }
    // A closing bracket that is not the call's ends it all the same, and is looked at again by what is around it.
    return offset + 1
  }

  mutating func punctuation(at offset: Int) {
    guard isInArgument else {
      if case .group = frames[top].kind, frames[top].depth == 0, text[offset] != UInt8(ascii: "@") {
        frames[top].arguments[0].others += 1
      }
      return
    }
    switch text[offset] {
    case UInt8(ascii: ","): frames[top].arguments.append(TextArgument(start: offset + 1))
    case UInt8(ascii: ";") where language == .c: frames.removeLast()
    case UInt8(ascii: "@") where language == .c && beginsLiteral(offset + 1): break
    case UInt8(ascii: "+") where isJoining(offset): break
    case UInt8(ascii: ":"): colon(at: offset)
    case UInt8(ascii: "?") where byte(offset + 1) != UInt8(ascii: "?") && byte(offset - 1) != UInt8(ascii: "?"):
      argument { argument in
        // The part in front is the condition.
        guard !argument.isConditional, argument.others > 0, argument.literals.isEmpty else {
          argument.others += 1
          return
        }
        argument.isConditional = true
        argument.others = 0
        argument.other = argument.start..<offset
      }
    default: noteOther(offset..<offset + 1)
    }
  }

  /// Tells whether a quote, a bracket or a literal's letters stand here: `"`, `(`, `R"`, `u8"`.
  private func beginsLiteral(_ offset: Int) -> Bool {
    var next = offset
    while next - offset < 3, SourceBytes.isWord(byte(next)) { next += 1 }
    return byte(next) == UInt8(ascii: "\"") || (next == offset && byte(next) == UInt8(ascii: "("))
  }

  /// A plus between two literals.
  private func isJoining(_ offset: Int) -> Bool {
    frames[top].arguments.last.map { $0.others == 0 && !$0.literals.isEmpty } ?? false
  }

  private mutating func colon(at offset: Int) {
    let text = text
    argument { argument in
      if argument.isConditional, argument.firstBranch == nil {
        argument.firstBranch = argument.literals
        argument.literals = []
      } else if argument.label == nil, argument.others == 1, argument.literals.isEmpty, let label = argument.other,
        SourceBytes.isWord(text[label.lowerBound])
      {
        argument = TextArgument(start: offset + 1, label: label)
      } else {
        argument.others += 1
      }
    }
  }

  /// A word that is no function of ours.
  mutating func word(_ range: Range<Int>) -> Int {
    guard !frames.isEmpty else { return range.upperBound }
    guard isInArgument else {
      if case .group = frames[top].kind, frames[top].depth == 0 { frames[top].arguments[0].others += 1 }
      return range.upperBound
    }
    if case .message = frames[top].kind, byte(range.upperBound) == UInt8(ascii: ":"),
      frames[top].arguments.last.map({ !$0.isEmpty }) == true
    {
      frames[top].arguments.append(TextArgument(start: range.upperBound + 1, label: range))
      return range.upperBound + 1
    }
    // `L"…"`, `R"(…)"`: a part of the literal.
    if language == .c, byte(range.upperBound) == UInt8(ascii: "\"") { return range.upperBound }
    if language == .c, isWord(range, "CFSTR"), byte(skipBlank(range.upperBound)) == UInt8(ascii: "(") {
      return range.upperBound
    }
    noteOther(range)
    return range.upperBound
  }

  func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
    range.count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { buffer in
        zip(buffer, text[range]).allSatisfy { $0 == $1 }
      }
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
  }
}
