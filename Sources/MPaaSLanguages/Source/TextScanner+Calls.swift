/// Calls: where they begin, and what they say when they end.
extension TextScanner {
  /// A word that may be the name of a function of ours.
  mutating func name(_ range: Range<Int>) -> Int {
    if let contexts, let key = functions.key, contexts.calls.contains(range.lowerBound) {
      return push(.call(key), range, at: skipBlank(range.upperBound))
    }
    for index in functions.byFirst[Int(text[range.lowerBound])] {
      let function = functions.all[index]
      guard isName(function.name, range) else { continue }
      if let next = begin(index, range) { return next }
    }
    return frames.isEmpty ? range.upperBound : word(range)
  }

  private func isName(_ name: [UInt8], _ range: Range<Int>) -> Bool {
    guard name.count == range.count else { return false }
    var index = 0
    while index < name.count {
      guard name[index] == text[range.lowerBound + index] else { return false }
      index += 1
    }
    return true
  }

  /// Opens the call that begins with a name; nil where it is none.
  private mutating func begin(_ index: Int, _ range: Range<Int>) -> Int? {
    let function = functions.all[index]
    let before = previous(range.lowerBound)
    switch function.before {
    case .anything: break
    case .dot: guard byte(before) == UInt8(ascii: ".") else { return nil }
    case .noDot:
      let isQualified = byte(before) == UInt8(ascii: ".")
      guard !isQualified || wordEnding(at: before) == "SwiftUI" else { return nil }
      if !isQualified, let contexts, !contexts.shadowed.isEmpty, contexts.shadowed.contains(string(range)) {
        return nil
      }
    }
    guard !isDefinition(before) else { return nil }
    let next = skipBlank(range.upperBound)
    if function.isPostfix { return beginPostfix(index, range, dot: before, next: next) }
    if language == .c, function.isMessage {
      guard byte(range.upperBound) == UInt8(ascii: ":") else { return nil }
      return push(.message(index), range, at: range.upperBound)
    }
    guard byte(next) == UInt8(ascii: "(") else { return nil }
    if let label = function.firstLabel {
      let start = skipBlank(next + 1)
      guard start + label.count < text.count, text[start..<start + label.count].elementsEqual(label),
        byte(skipBlank(start + label.count)) == UInt8(ascii: ":")
      else { return nil }
    }
    return push(.call(index), range, at: next)
  }

  private mutating func push(
    _ kind: Frame.Kind, _ range: Range<Int>, at open: Int, receiver: TextLiteral? = nil
  ) -> Int {
    noteOther(range)
    var frame = Frame(kind: kind, start: range.lowerBound, line: line(at: range.lowerBound))
    frame.arguments = [TextArgument(start: open + 1)]
    frame.receiver = receiver
    frames.append(frame)
    return open + 1
  }

  private mutating func beginPostfix(_ index: Int, _ range: Range<Int>, dot: Int, next: Int) -> Int? {
    var receiver: TextLiteral?
    if let lastLiteral, previous(dot) == lastLiteral.end - 1 { receiver = lastLiteral.literal }
    if byte(next) == UInt8(ascii: "("), receiver != nil {
      return push(.call(index), range, at: next, receiver: receiver)
    }
    let line = line(at: range.lowerBound)
    var frame = Frame(kind: .call(index), start: range.lowerBound, line: line)
    frame.receiver = receiver
    if receiver != nil {
      finish(frame, functions.all[index], end: range.upperBound)
    } else {
      let key = wordEnding(at: dot)
      if key != "self", !key.isEmpty { add(dynamic: key, .key, functions.all[index], frame) }
    }
    noteOther(range)
    return range.upperBound
  }

  /// A literal is over: it is an argument's, or a key by what is around it.
  mutating func finishLiteral(_ literal: TextLiteral, start: Int, end: Int) {
    lastLiteral = (literal, end)
    if let contexts, let key = functions.key, contexts.literals.contains(start) {
      var frame = Frame(kind: .call(key), start: start, line: line(at: start))
      frame.receiver = literal
      finish(frame, functions.all[key], end: end)
    }
    if !frames.isEmpty { noteLiteral(literal) }
  }

  /// The last byte before an offset that is not blank.
  func previous(_ offset: Int) -> Int {
    var offset = offset - 1
    while offset >= 0, SourceBytes.isSpace(text[offset]) { offset -= 1 }
    return offset
  }

  /// The word that ends before an offset, blanks between them passed over.
  func wordEnding(at offset: Int) -> String {
    let end = previous(offset) + 1
    var start = end
    while start > 0, end - start < 256, SourceBytes.isWord(text[start - 1]) { start -= 1 }
    return string(start..<end)
  }

  /// Tells whether a declaration or a macro gives the name here.
  private func isDefinition(_ before: Int) -> Bool {
    guard SourceBytes.isWord(byte(before)) else { return false }
    let word = wordEnding(at: before + 1)
    let words = language == .swift ? ["func", "struct", "class", "enum", "macro", "typealias"] : ["define"]
    return words.contains(word)
  }

  /// Takes the result of a call, once it has ended.
  mutating func finish(_ frame: Frame, _ function: TextFunction, end: Int) {
    var parts = CallParts()
    for (index, argument) in frame.arguments.enumerated() {
      let named = argument.label.flatMap { ArgumentRole(label: UnsafeBufferPointer(rebasing: text[$0])) }
      var role = named ?? (index < function.roles.count ? function.roles[index] : .other)
      // `LabeledContent("Size", value: "3")`: what a view shows is no text for its key.
      if function.isUnlabelled, named == .value || named == .key { role = .other }
      parts.add(argument, as: role)
    }
    if function.isUnlabelled, frame.arguments.first?.label != nil { return }
    if let receiver = frame.receiver {
      var key = TextArgument(start: frame.start)
      key.literals = [receiver]
      parts.key = key
    }
    guard let key = parts.key, !key.isEmpty else { return }
    // Literals joined by `+` are a String, which views show as it is.
    if function.isUnlabelled, key.alternatives.contains(where: { $0.count > 1 }) { return }
    let keys = key.alternatives.map { TextLiteral.decoded($0, text, types) }
    guard !keys.isEmpty, function.interpolates || !keys.contains(where: \.hasInterpolations) else {
      return notLiteral(key, frame, function, end)
    }
    var table = SourceText.defaultTable
    if let argument = parts.table, !isNil(argument) {
      if let name = plain(argument) {
        if !name.isEmpty { table = name }
      } else if function.warns {
        add(dynamic: argumentText(argument, end), .table, function, frame)
      }
    }
    let value = parts.value.flatMap { $0.alternatives.first }.map { TextLiteral.decoded($0, text, types) }
    let comment = parts.comment.flatMap(plain)
    forget(key.alternatives.joined(), since: frame.start)
    for key in keys where !(function.isUnlabelled && key.text.isEmpty) {
      let found = SourceText(
        key: key.text, value: value?.text, comment: comment, table: table, file: file, line: frame.line,
        isGuessed: key.isGuessed || value?.isGuessed == true)
      self.found.append(Found(offset: frame.start, item: .text(found)))
    }
  }

  /// Literals of a call's key are no keys by themselves.
  private mutating func forget(_ literals: some Sequence<TextLiteral>, since start: Int) {
    guard let last = found.last, last.offset > start else { return }
    let own = Set(literals.map(\.start))
    let first = (found.lastIndex { $0.offset <= start } ?? -1) + 1
    let kept = found[first...].filter { !own.contains($0.offset) }
    if kept.count < found.count - first { found.replaceSubrange(first..., with: kept) }
  }

  /// The text of an argument that is one literal or several joined ones, without interpolations.
  private func plain(_ argument: TextArgument) -> String? {
    guard let literals = argument.alternatives.first else { return nil }
    let decoded = TextLiteral.decoded(literals, text, types)
    return decoded.hasInterpolations ? nil : decoded.text
  }

  private func isNil(_ argument: TextArgument) -> Bool {
    if argument.isEmpty { return true }
    guard argument.others == 1, argument.literals.isEmpty, let other = argument.other else { return false }
    return ["nil", "NULL", "Nil", "nullptr", "0"].contains(string(other))
  }

  /// The text of an argument; `end` is that of its call.
  func argumentText(_ argument: TextArgument, _ end: Int) -> String {
    let start = min(skipBlank(argument.start), end)
    var stop = start
    if let other = argument.other { stop = max(stop, other.upperBound) }
    for literal in argument.literals + (argument.firstBranch ?? []) {
      stop = max(stop, literal.content.upperBound + literal.hashes + (literal.isMultiline ? 3 : 1))
    }
    // A bracket is noted where it opens only.
    if let opened = argument.other.map({ $0.upperBound - 1 }), [0x28, 0x5b, 0x7b].contains(byte(opened)) { stop = end }
    let words = String(decoding: text[start..<max(start, min(stop, end, text.count))].prefix(200), as: UTF8.self)
    return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  mutating func add(dynamic argument: String, _ part: DynamicText.Part, _ function: TextFunction, _ frame: Frame) {
    let name = String(decoding: function.name, as: UTF8.self)
    let found = DynamicText(function: name, argument: argument, part: part, file: file, line: frame.line)
    self.found.append(Found(offset: frame.start, item: .dynamic(found)))
  }
}

/// The arguments of a call by what they are for, the first of each.
private struct CallParts {
  var key: TextArgument?
  var table: TextArgument?
  var value: TextArgument?
  var comment: TextArgument?

  mutating func add(_ argument: TextArgument, as role: ArgumentRole) {
    switch role {
    case .key: if key == nil { key = argument }
    case .table: if table == nil { table = argument }
    case .value: if value == nil { value = argument }
    case .comment: if comment == nil { comment = argument }
    case .other: break
    }
  }
}
