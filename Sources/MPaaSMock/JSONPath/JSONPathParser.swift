import MPaaSJSON

/// Reads a path from its first character to its last.
struct JSONPathParser {
  private static let deepest = 64

  private let characters: [Character]
  private var place = 0
  private var depth = 0

  init(_ text: String) { characters = Array(text) }

  private func error(_ reason: String) -> JSONPathError { JSONPathError(reason: reason, offset: place) }
  private var next: Character? { place < characters.count ? characters[place] : nil }

  private mutating func take(_ text: String) -> Bool {
    guard characters[place...].starts(with: text) else { return false }
    place += text.count
    return true
  }

  private mutating func skipBlanks() { while let next, next.isWhitespace { place += 1 } }

  mutating func path() throws(JSONPathError) -> [JSONPath.Step] {
    skipBlanks()
    // A path may stand without its root: `items[0].name`.
    if !take("$"), next != "[", next != "." {
      let first = name()
      guard !first.isEmpty else { throw error("it does not begin with $") }
      let steps = [JSONPath.Step.names([first])] + (try steps())
      guard place == characters.count else { throw error("\(characters[place]) cannot stand here") }
      return steps
    }
    let steps = try steps()
    skipBlanks()
    guard place == characters.count else { throw error("\(characters[place]) cannot stand here") }
    return steps
  }

  private mutating func steps() throws(JSONPathError) -> [JSONPath.Step] {
    var steps: [JSONPath.Step] = []
    while let character = next {
      guard steps.count < 1000 else { throw error("it has more than 1,000 steps") }
      if take("..") {
        steps.append(.descendants)
        if next == "[" { continue }
        steps.append(try named())
      } else if take(".") {
        if next == "[" { continue }
        steps.append(try named())
      } else if character == "[" {
        steps.append(try bracketed())
      } else {
        break
      }
    }
    return steps
  }

  private mutating func named() throws(JSONPathError) -> JSONPath.Step {
    if take("*") { return .all }
    let name = name()
    guard !name.isEmpty else { throw error("a name is missing") }
    guard take("(") else { return .names([name]) }
    var arguments: [String] = []
    while !take(")") {
      guard let character = next else { throw error("a function is not closed") }
      if character == "\"" || character == "'" {
        arguments.append(try quoted())
      } else if character == "," || character.isWhitespace {
        place += 1
      } else {
        let word = characters[place...].prefix { $0 != "," && $0 != ")" }
        arguments.append(String(word))
        place += word.count
      }
    }
    return .function(name, arguments)
  }

  private mutating func name() -> String {
    let name = characters[place...].prefix {
      $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "$" || $0 == "@" || $0 == ":" || !$0.isASCII
    }
    place += name.count
    return String(name)
  }

  private mutating func quoted() throws(JSONPathError) -> String {
    guard let quote = next else { throw error("a string is missing") }
    place += 1
    var text = ""
    while let character = next, character != quote {
      place += 1
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = next else { break }
      place += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      default: text.append(escaped)
      }
    }
    guard next == quote else { throw error("a string is not closed") }
    place += 1
    return text
  }

  // MARK: Brackets

  private mutating func bracketed() throws(JSONPathError) -> JSONPath.Step {
    place += 1
    skipBlanks()
    if take("*") { return try closed(.all) }
    if take("?") { return try filter() }
    if next == "'" || next == "\"" {
      var names: [String] = []
      repeat {
        skipBlanks()
        names.append(try quoted())
        skipBlanks()
      } while take(",")
      return try closed(.names(names))
    }
    return try indexes()
  }

  private mutating func closed(_ step: JSONPath.Step) throws(JSONPathError) -> JSONPath.Step {
    skipBlanks()
    guard take("]") else { throw error("a bracket is not closed") }
    return step
  }

  private mutating func indexes() throws(JSONPathError) -> JSONPath.Step {
    let first = try integer()
    skipBlanks()
    if take(":") {
      skipBlanks()
      let end = try integer()
      skipBlanks()
      let stride = take(":") ? try integer() ?? 1 : 1
      guard stride > 0 else { throw error("a slice goes by less than 1") }
      return try closed(.slice(first, end, stride))
    }
    guard let first else { throw error("an index is missing") }
    var indexes = [first]
    while take(",") {
      skipBlanks()
      guard let index = try integer() else { throw error("an index is missing") }
      indexes.append(index)
      skipBlanks()
    }
    return try closed(.indexes(indexes))
  }

  private mutating func integer() throws(JSONPathError) -> Int? {
    let text = characters[place...].prefix { ("0"..."9").contains($0) || $0 == "-" }
    guard !text.isEmpty else { return nil }
    guard text.count < 12, let value = Int(String(text)) else { throw error("an index is no number") }
    place += text.count
    return value
  }

  // MARK: Filters

  private mutating func filter() throws(JSONPathError) -> JSONPath.Step {
    skipBlanks()
    guard take("(") else { throw error("a filter has no parenthesis") }
    let condition = try alternatives()
    skipBlanks()
    guard take(")") else { throw error("a filter is not closed") }
    return try closed(.filter(condition))
  }

  private mutating func alternatives() throws(JSONPathError) -> JSONPathCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { throw error("conditions lie too deep in each other") }
    var condition = try conjunction()
    skipBlanks()
    while take("||") {
      condition = .or(condition, try conjunction())
      skipBlanks()
    }
    return condition
  }

  private mutating func conjunction() throws(JSONPathError) -> JSONPathCondition {
    var condition = try negation()
    skipBlanks()
    while take("&&") {
      condition = .and(condition, try negation())
      skipBlanks()
    }
    return condition
  }

  private mutating func negation() throws(JSONPathError) -> JSONPathCondition {
    skipBlanks()
    if next == "!", characters.dropFirst(place + 1).first != "=" {
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.deepest else { throw error("conditions lie too deep in each other") }
      place += 1
      return .not(try negation())
    }
    if take("(") {
      let condition = try alternatives()
      skipBlanks()
      guard take(")") else { throw error("a parenthesis is not closed") }
      return condition
    }
    return try comparison()
  }

  private static let operators = [
    "===", "!==", "==", "!=", "<>", "<=", ">=", "<", ">", "=~", "subsetof", "anyof", "noneof", "contains", "size",
    "empty", "type", "nin", "in",
  ]

  private mutating func comparison() throws(JSONPathError) -> JSONPathCondition {
    let left = try operand()
    skipBlanks()
    for name in Self.operators where take(name) {
      skipBlanks()
      return .comparison(left, name, try operand())
    }
    switch left {
    case .path(let path, let isFromRoot): return .exists(path, isFromRoot: isFromRoot)
    case .literal(let node): return .constant(node.bool ?? !node.isNull)
    case .pattern: throw error("an expression stands alone")
    }
  }

  private mutating func operand() throws(JSONPathError) -> JSONPathCondition.Operand {
    skipBlanks()
    switch next {
    case "@", "$":
      let isFromRoot = next == "$"
      let start = place
      place += 1
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.deepest else { throw error("paths lie too deep in each other") }
      let steps = try steps()
      return .path(JSONPath(steps: steps, text: String(characters[start..<place])), isFromRoot: isFromRoot)
    case "'", "\"": return .literal(.text(try quoted()))
    case "/": return .pattern(try pattern())
    case "[":
      var items: [JSONNode] = []
      place += 1
      skipBlanks()
      while !take("]") {
        guard case .literal(let item) = try operand() else { throw error("a list has other than values") }
        items.append(item)
        skipBlanks()
        if !take(","), next != "]" { throw error("a list is not closed") }
        skipBlanks()
      }
      return .literal(.list(items))
    default: return .literal(try word())
    }
  }

  private mutating func word() throws(JSONPathError) -> JSONNode {
    let word = String(
      characters[place...].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" || $0 == "_" })
    guard !word.isEmpty else { throw error("a value is missing") }
    place += word.count
    switch word {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": return .null
    default: break
    }
    guard let number = JSONNumber.lenient(word) else { throw error("\(word) is no value") }
    return JSONNode(.number(number))
  }

  private mutating func pattern() throws(JSONPathError) -> JavaPattern {
    place += 1
    var text = ""
    while let character = next, character != "/" {
      place += 1
      if character == "\\", next == "/" { continue }
      if character == "\\", let escaped = next {
        text += "\\"
        text.append(escaped)
        place += 1
      } else {
        text.append(character)
      }
    }
    guard take("/") else { throw error("an expression is not closed") }
    let flags = characters[place...].prefix { "imsxdu".contains($0) }
    place += flags.count
    do throws(JavaPatternError) {
      return try JavaPattern(text, matchesLineEnds: flags.contains("s"), ignoresCase: flags.contains("i"))
    } catch { throw self.error(error.reason) }
  }
}
