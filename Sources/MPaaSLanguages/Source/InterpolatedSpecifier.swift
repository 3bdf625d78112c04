/// The specifier that an interpolated expression becomes in a key.
///
/// The compiler goes by types. Here it is what the sources declare, then how the expression looks, else `%@`.
struct InterpolatedSpecifier {
  let types: DeclaredTypes?

  private static let conversions: [(String, String)] = [
    ("UInt64(", "%llu"), ("UInt(", "%llu"), ("Int(", "%lld"), ("Int64(", "%lld"), ("Int32(", "%d"), ("UInt32(", "%u"),
    ("Double(", "%lf"), ("CGFloat(", "%lf"), ("Float(", "%f"), ("String(", "%@"), ("Text(", "%@"), ("Image(", "%@"),
  ]

  func of(_ expression: String) -> (String, isGuessed: Bool) {
    // A parameter of an intent, and what a shortcut's phrase names.
    if let name = Self.parameter(expression) { return ("${\(name)}", false) }
    if let range = expression.range(ofWord: "specifier:"), let open = expression[range...].firstIndex(of: "\"") {
      let text = expression[expression.index(after: open)...].prefix { $0 != "\"" }
      if text.hasPrefix("%") { return (String(text), false) }
    }
    let first = Self.firstArgument(expression)
    // A formatted value is text.
    guard first.count == expression.count else {
      let isFormatted = expression.dropFirst(first.count).contains("format:")
      return isFormatted ? ("%@", false) : value(String(first))
    }
    return value(expression)
  }

  private static func parameter(_ expression: String) -> String? {
    let name = expression.hasPrefix("\\.$") ? expression.dropFirst(3) : expression.dropFirst(1)
    guard expression.hasPrefix("\\.$") || expression == ".applicationName", name.utf8.allSatisfy(SourceBytes.isWord)
    else {
      return nil
    }
    return String(name)
  }

  private func value(_ expression: String) -> (String, isGuessed: Bool) {
    var trimmed = expression.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for word in ["try? ", "try! ", "try ", "await "] where trimmed.hasPrefix(word) {
      trimmed = String(trimmed.dropFirst(word.count))
    }
    if let otherwise = Self.lastTop(trimmed, " ?? ") { return value(String(otherwise)) }
    if Int(trimmed) != nil { return ("%lld", false) }
    if Double(trimmed) != nil { return ("%lf", false) }
    if trimmed.hasPrefix("\"") { return ("%@", false) }
    if let branch = Self.lastTop(trimmed, " : ") { return value(String(branch)) }
    if let known = Self.conversions.first(where: { trimmed.hasPrefix($0.0) && Self.isOneCall(trimmed) }) {
      return (known.1, false)
    }
    if let operands = Self.operands(trimmed) { return arithmetic(operands) }
    if trimmed.hasSuffix(")") { return call(trimmed) }
    let name = trimmed.split { $0 == "." || $0 == " " }.last.map(String.init) ?? ""
    if name == "count" || name == "endIndex" { return ("%lld", trimmed == "endIndex") }
    if name == "rawValue" { return ("%@", true) }
    if let specifier = types?.specifier(of: name.trimmingSuffix("!")) { return (specifier, false) }
    if ["description", "localizedDescription", "debugDescription", "absoluteString"].contains(name) {
      return ("%@", false)
    }
    let last = name.lowercased()
    let isCount = ["index", "total", "number", "year", "age"].contains(last) || last.hasSuffix("count")
    return (isCount ? "%lld" : "%@", true)
  }

  /// Operands of one type are of it; a whole number written as such is of any.
  private func arithmetic(_ operands: [String]) -> (String, isGuessed: Bool) {
    let all = operands.map(value)
    let named = zip(operands, all).filter { Int($0.0) == nil }.map(\.1)
    guard let first = named.first else { return ("%lld", false) }
    let isKnown = named.allSatisfy { $0.0 == first.0 && !$0.isGuessed }
    if isKnown { return (first.0, false) }
    // A value that is reckoned with is least likely a text.
    return (named.contains { $0.0 == "%lf" } ? "%lf" : "%lld", true)
  }

  private func call(_ text: String) -> (String, isGuessed: Bool) {
    guard let open = Self.lastCall(text) else { return ("%@", true) }
    let name = text[..<open].split { $0 == "." || $0 == " " }.last.map(String.init) ?? ""
    if let specifier = types?.specifier(ofResult: name) { return (specifier, false) }
    let isText = ["formatted", "joined", "uppercased", "lowercased", "replacingOccurrences", "capitalized", "string"]
    return ("%@", !isText.contains(name))
  }

  /// The text before the first comma that no bracket and no literal holds.
  private static func firstArgument(_ text: String) -> Substring {
    for index in top(text) where text[index] == "," { return text[..<index] }
    return text[...]
  }

  /// The text behind the last operator that no bracket and no literal holds.
  private static func lastTop(_ text: String, _ sign: String) -> Substring? {
    top(text).last { text[$0...].hasPrefix(sign) }.map { text[$0...].dropFirst(sign.count) }
  }

  /// The operands of `+`, `-`, `*`, `/` and `%` stand between, with blanks around them; nil where there are none.
  private static func operands(_ text: String) -> [String]? {
    var parts: [String] = []
    var start = text.startIndex
    for index in top(text) where "+-*/%".contains(text[index]) {
      guard index > start, text[text.index(before: index)] == " ", text[text.index(after: index)...].hasPrefix(" ")
      else {
        continue
      }
      parts.append(String(text[start..<text.index(before: index)]))
      start = text.index(index, offsetBy: 2)
    }
    guard !parts.isEmpty else { return nil }
    return (parts + [String(text[start...])]).map { part in
      part.hasPrefix("(") && part.hasSuffix(")") ? String(part.dropFirst().dropLast()) : part
    }
  }

  /// The place of the bracket that the text's last character closes.
  private static func lastCall(_ text: String) -> String.Index? {
    var found: String.Index?
    for index in top(text) where text[index] == "(" { found = index }
    return found
  }

  private static func isOneCall(_ text: String) -> Bool {
    text.hasSuffix(")") && top(text).filter { text[$0] == "(" }.count == 1 && operands(text) == nil
  }

  /// The places that no bracket and no literal holds, those of opening brackets included.
  private static func top(_ text: String) -> [String.Index] {
    var depth = 0
    var isQuoted = false
    var result: [String.Index] = []
    for index in text.indices {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case _ where isQuoted: break
      case "(", "[", "{":
        if depth == 0 { result.append(index) }
        depth += 1
      case ")", "]", "}": depth -= 1
      default: if depth == 0 { result.append(index) }
      }
    }
    return result
  }
}

extension String {
  /// The beginning of a word in the text.
  fileprivate func range(ofWord word: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(word) { return start }
      formIndex(after: &start)
    }
    return nil
  }

  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
