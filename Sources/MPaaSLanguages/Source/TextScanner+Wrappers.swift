/// Keys that are no literals: which of them only pass on what a function, a property or a macro was given.
extension TextScanner {
  mutating func notLiteral(_ key: TextArgument, _ frame: Frame, _ function: TextFunction, _ end: Int) {
    guard function.warns else { return }
    let argument = argumentText(key, end)
    if language == .c, isDeclaration(argument) { return }
    // `String(localized: .welcome)`: a resource that is declared elsewhere.
    if function.interpolates, argument.hasPrefix(".") { return }
    if let name = macroName(frame.start) ?? wrapperName(argument, frame, end) {
      let wrapper = TextWrapper(name: name, file: file, line: frame.line)
      return found.append(Found(offset: frame.start, item: .wrapper(wrapper)))
    }
    add(dynamic: argument, .key, function, frame)
  }

  /// Tells whether a parameter is declared: `NSString *key`, `CFStringRef key`.
  private func isDeclaration(_ argument: String) -> Bool {
    let isTyped = argument.utf8.allSatisfy { SourceBytes.isWord($0) || $0 == 0x20 || $0 == 0x2a || $0 == 0x26 }
    let words = argument.split { $0 == " " || $0 == "*" || $0 == "&" }
    return isTyped && words.count > 1 || argument.contains("id<")
  }

  /// The macro in whose body an offset lies.
  private func macroName(_ offset: Int) -> String? {
    macro.flatMap { offset < $0.end ? string($0.name) : nil }
  }

  /// The function whose only statement the call is, and whose parameter the key is.
  private func wrapperName(_ key: String, _ frame: Frame, _ end: Int) -> String? {
    guard !key.isEmpty, key.utf8.allSatisfy(SourceBytes.isWord), let open = bodyStart(frame.start) else { return nil }
    var start = open
    while start > 0, open - start < 600 {
      let byte = text[start - 1]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ";") { break }
      start -= 1
    }
    let header = string(start..<open)
    guard let name = language == .swift ? swiftName(key, header) : cName(key, header) else { return nil }
    // One that is known itself may do more with the text.
    let isKnown = functions.all.contains { $0.name.elementsEqual(name.utf8) }
    return isKnown || bodyEnds(end) ? name : nil
  }

  /// The place of the brace that only a statement's beginning parts from a call.
  private func bodyStart(_ call: Int) -> Int? {
    var offset = call - 1
    var hasCode = false
    while offset >= 0, call - offset < 400 {
      switch text[offset] {
      case UInt8(ascii: "{"): return offset
      case UInt8(ascii: ";"), UInt8(ascii: "}"): return nil
      case 0x0a:
        // Only blanks may stand between the brace and the line of the call.
        guard hasCode || previous(call) == previous(offset) else { return nil }
        let before = previous(offset)
        return byte(before) == UInt8(ascii: "{") ? before : nil
      default: hasCode = hasCode || !SourceBytes.isSpace(text[offset])
      }
      offset -= 1
    }
    return nil
  }

  /// Tells whether the function ends behind a call.
  private func bodyEnds(_ end: Int) -> Bool {
    var offset = end + 1
    while offset < text.count, offset - end < 400 {
      switch text[offset] {
      case UInt8(ascii: "}"): return true
      case UInt8(ascii: "{"): return false
      case 0x0a: return byte(skipBlank(offset)) == UInt8(ascii: "}")
      default: offset += 1
      }
    }
    return false
  }

  private func swiftName(_ key: String, _ header: String) -> String? {
    let words = header.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    if key == "self" {
      guard let index = words.lastIndex(where: { $0 == "var" || $0 == "func" }), index + 1 < words.count else {
        return nil
      }
      return "." + words[index + 1]
    }
    guard let index = words.lastIndex(of: "func"), index + 1 < words.count, words[(index + 1)...].contains(key) else {
      return nil
    }
    return words[index + 1]
  }

  private func cName(_ key: String, _ header: String) -> String? {
    let lines = header.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("//") }
    let text = lines.suffix(4).joined(separator: " ")
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    guard words.contains(key) else { return nil }
    let isMethod = text.contains(":(") || text.contains(": (")
    guard let mark = text.firstIndex(of: isMethod ? ":" : "(") else { return nil }
    let name = text[..<mark].split { !($0.isLetter || $0.isNumber || $0 == "_") }.last.map(String.init)
    guard let name, !["if", "while", "for", "switch", "return", key].contains(name) else { return nil }
    return name
  }
}
