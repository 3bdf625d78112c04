import MPaaSJSON

/// Reads a template of Handlebars' language.
///
/// - Source: The documentation of Handlebars, https://handlebarsjs.com/guide/.
struct TemplateParser {
  private static let deepest = 64

  private let text: [Character]
  private var place = 0
  private var depth = 0
  /// True where white space in front of the next text goes.
  private var stripsNext = false

  init(_ text: String) { self.text = Array(text) }

  private func error(_ reason: String) -> TemplateError {
    TemplateError(reason: reason, line: text[..<min(place, text.count)].count { $0.isNewline } + 1)
  }

  private var next: Character? { place < text.count ? text[place] : nil }
  private func stands(_ word: String) -> Bool { text[place...].starts(with: word) }
  private mutating func take(_ word: String) -> Bool {
    guard stands(word) else { return false }
    place += word.count
    return true
  }
  private mutating func skipBlanks() { while let next, next.isWhitespace { place += 1 } }

  mutating func template() throws(TemplateError) -> [TemplateNode] {
    let (nodes, end) = try self.nodes()
    guard end == nil else { throw error("a block is closed that was not opened") }
    return nodes
  }

  /// The end of a run of nodes.
  private enum End {
    case close(String)
    case otherwise(TemplateCall?, [String])
  }

  private mutating func nodes() throws(TemplateError) -> ([TemplateNode], End?) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw error("blocks lie more than \(Self.deepest) deep in each other") }
    var nodes: [TemplateNode] = []
    while place < text.count {
      addText(to: &nodes)
      guard place < text.count else { break }
      if try skipComment(&nodes) { continue }
      let isTriple = take("{{{")
      if !isTriple { _ = take("{{") }
      strip(&nodes)
      skipBlanks()
      if take("#") {
        nodes.append(.block(try block(isInverted: false, isTriple)))
      } else if take("/") {
        skipBlanks()
        let name = word()
        try close(isTriple)
        return (nodes, .close(name))
      } else if next == "^" {
        place += 1
        skipBlanks()
        if stands("}}") || stands("~}}") {
          try close(isTriple)
          return (nodes, .otherwise(nil, []))
        }
        nodes.append(.block(try block(isInverted: true, isTriple)))
      } else if isElse {
        place += "else".count
        skipBlanks()
        var call: TemplateCall?
        var parameters: [String] = []
        if !stands("}}"), !stands("~}}") { (call, parameters) = (try self.call(), try blockParameters()) }
        try close(isTriple)
        return (nodes, .otherwise(call, parameters))
      } else {
        _ = take("&")
        let call = try self.call()
        try close(isTriple)
        nodes.append(.output(call))
      }
    }
    return (nodes, nil)
  }

  private var isElse: Bool {
    stands("else") && (text.dropFirst(place + 4).first.map { $0.isWhitespace || $0 == "}" || $0 == "~" } ?? false)
  }

  private mutating func addText(to nodes: inout [TemplateNode]) {
    var run = ""
    while let character = next {
      if character == "\\", text[(place + 1)...].starts(with: "{{") {
        run += "{{"
        place += 3
        continue
      }
      if character == "{", stands("{{") { break }
      run.append(character)
      place += 1
    }
    if stripsNext { run = String(run.drop(while: \.isWhitespace)) }
    stripsNext = false
    if !run.isEmpty { nodes.append(.text(run)) }
  }

  private mutating func skipComment(_ nodes: inout [TemplateNode]) throws(TemplateError) -> Bool {
    let marks = ["{{!--", "{{~!--", "{{!", "{{~!"]
    guard let mark = marks.first(where: { stands($0) }) else { return false }
    if mark.contains("~") { Self.trimEnd(&nodes) }
    let end = mark.hasSuffix("--") ? ["--}}", "--~}}"] : ["}}"]
    place += mark.count
    while place < text.count {
      if let found = end.first(where: { stands($0) }) {
        place += found.count
        stripsNext = found.contains("~") || text[place - 3] == "~"
        return true
      }
      place += 1
    }
    throw error("a comment is not closed")
  }

  private mutating func strip(_ nodes: inout [TemplateNode]) {
    if take("~") { Self.trimEnd(&nodes) }
  }

  private static func trimEnd(_ nodes: inout [TemplateNode]) {
    guard case .text(var text)? = nodes.last else { return }
    while text.last?.isWhitespace == true { text.removeLast() }
    nodes[nodes.count - 1] = .text(text)
  }

  private mutating func close(_ isTriple: Bool) throws(TemplateError) {
    skipBlanks()
    stripsNext = take("~")
    guard take(isTriple ? "}}}" : "}}") else { throw error("an expression is not closed") }
  }

  // MARK: Blocks

  private mutating func block(isInverted: Bool, _ isTriple: Bool) throws(TemplateError) -> TemplateBlock {
    let call = try self.call()
    let parameters = try blockParameters()
    try close(isTriple)
    return try rest(of: call, parameters, isInverted: isInverted)
  }

  private mutating func rest(
    of call: TemplateCall, _ parameters: [String], isInverted: Bool
  ) throws(TemplateError) -> TemplateBlock {
    let (content, end) = try nodes()
    switch end {
    case .close:
      return TemplateBlock(
        call: call, parameters: parameters, isInverted: isInverted, content: content, otherwise: [])
    case .otherwise(let other, let names):
      var otherwise: [TemplateNode]
      if let other {
        // `else if` is a block of its own that ends with this one.
        otherwise = [.block(try rest(of: other, names, isInverted: false))]
      } else {
        let (nodes, last) = try self.nodes()
        guard case .close? = last else { throw error("a block is not closed") }
        otherwise = nodes
      }
      return TemplateBlock(
        call: call, parameters: parameters, isInverted: isInverted, content: content, otherwise: otherwise)
    case nil: throw error("a block is not closed")
    }
  }

  private mutating func blockParameters() throws(TemplateError) -> [String] {
    skipBlanks()
    guard stands("as |") else { return [] }
    place += 4
    var names: [String] = []
    while !take("|") {
      let name = word()
      guard !name.isEmpty else { throw error("the names of a block are not closed") }
      names.append(name)
      skipBlanks()
    }
    return names
  }

  // MARK: Expressions

  private mutating func call() throws(TemplateError) -> TemplateCall {
    let head = try expression()
    var arguments: [TemplateExpression] = []
    var options: [(name: String, value: TemplateExpression)] = []
    while true {
      skipBlanks()
      guard let character = next else { throw error("an expression is not closed") }
      if character == "}" || character == ")" || character == "~" || stands("as |") { break }
      if let name = optionName() {
        options.append((name, try expression()))
      } else {
        arguments.append(try expression())
      }
      guard arguments.count + options.count <= 1000 else { throw error("a helper has more than 1,000 arguments") }
    }
    return TemplateCall(head: head, arguments: arguments, options: options)
  }

  /// The name before `=`.
  private mutating func optionName() -> String? {
    let name = text[place...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    guard !name.isEmpty, text.dropFirst(place + name.count).first == "=" else { return nil }
    place += name.count + 1
    skipBlanks()
    return String(name)
  }

  private mutating func expression() throws(TemplateError) -> TemplateExpression {
    skipBlanks()
    switch next {
    case "(":
      place += 1
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.deepest else { throw error("expressions lie too deep in each other") }
      let call = try self.call()
      skipBlanks()
      guard take(")") else { throw error("a parenthesis is not closed") }
      return .call(call)
    case "'", "\"": return .literal(.text(try string()))
    default: break
    }
    if let number = number() { return .literal(number) }
    let path = try path()
    guard path.up == 0, !path.isData, !path.isScoped, path.parts.count == 1 else { return .path(path) }
    switch path.parts[0] {
    case "true": return .literal(.json(.flag(true)))
    case "false": return .literal(.json(.flag(false)))
    case "null", "undefined": return .literal(.nothing)
    default: return .path(path)
    }
  }

  private mutating func string() throws(TemplateError) -> String {
    guard let quote = next else { throw error("a string is missing") }
    place += 1
    var string = ""
    while let character = next, character != quote {
      if character == "\\", let escaped = text.dropFirst(place + 1).first, escaped == quote {
        string.append(escaped)
        place += 2
      } else {
        string.append(character)
        place += 1
      }
    }
    guard next == quote else { throw error("a string is not closed") }
    place += 1
    return string
  }

  private mutating func number() -> TemplateValue? {
    let run = text[place...].prefix { ("0"..."9").contains($0) || $0 == "-" || $0 == "." }
    guard let first = run.first, first != ".", run.last != ".", let number = JSONNumber(String(run)) else { return nil }
    let after = text.dropFirst(place + run.count).first
    guard after.map({ $0.isWhitespace || "})~|".contains($0) }) ?? true else { return nil }
    place += run.count
    return .json(JSONNode(.number(number)))
  }

  private mutating func path() throws(TemplateError) -> TemplatePath {
    var path = TemplatePath()
    if take("@") { path.isData = true }
    while take("../") { path.up += 1 }
    if take("..") { path.up += 1 }
    if take("./") { path.isScoped = true }
    while let character = next {
      if character == "[" {
        guard let end = text[place...].firstIndex(of: "]") else { throw error("a bracket is not closed") }
        path.parts.append(String(text[(place + 1)..<end]))
        place = end + 1
      } else {
        let word = word()
        if word.isEmpty { break }
        if word == "this", path.parts.isEmpty { path.isScoped = true } else { path.parts.append(word) }
      }
      guard next == "." || next == "/" else { break }
      place += 1
    }
    if next == ".", path.parts.isEmpty {
      place += 1
      path.isScoped = true
    }
    guard !path.parts.isEmpty || path.up > 0 || path.isScoped else { throw error("a name is missing") }
    return path
  }

  private mutating func word() -> String {
    let word = text[place...].prefix { !$0.isWhitespace && !"{}()[]./=|~'\"^#&!;,".contains($0) }
    place += word.count
    return String(word)
  }
}
