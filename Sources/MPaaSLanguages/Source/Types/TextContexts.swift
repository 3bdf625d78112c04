/// The places in a Swift source literals are keys since what is around them has the type of one.
///
/// That are arguments of functions which are declared with such parameters, results of functions and properties, values
/// of variables, lists and dictionaries. It goes through the tokens once, and knows of each bracket what is expected in
/// it.
struct TextContexts {
  /// The beginnings of literals that are keys.
  private(set) var literals: Set<Int> = []
  /// The places of the word `init` stands of calls whose first argument is a key.
  private(set) var calls: Set<Int> = []

  private let tokens: SwiftTokens
  private let declarations: SwiftDeclarations
  /// The declarations of this source alone: the types of its properties decide what is assigned to them.
  private let own: SwiftDeclarations
  /// Functions whose argument without a label is looked at elsewhere.
  private let known: Set<String>

  /// The expectations in a pair of brackets.
  private struct Scope {
    let end: Int
    let isBlock: Bool
    /// The type that a statement gives back.
    let result: SwiftType?
    /// The type whose declaration or extension it is in.
    var owner: String?
    /// Tells whether its braces belong to a condition or a loop, which give back the same.
    var isControl = false
    var isCase = false
    var isStart = true
  }

  /// The type given back in the braces that open at an index, as far as it is known before they are reached.
  private var results: [Int: SwiftType?] = [:]
  /// The types whose braces open at an index.
  private var owners: [Int: String] = [:]

  /// Types of the app that have the name of one of SwiftUI.
  let shadowed: Set<String>

  init(_ tokens: SwiftTokens, declarations: SwiftDeclarations, own: SwiftDeclarations, known: Set<String>) {
    self.tokens = tokens
    var all = declarations
    if tokens.imports("Charts") { all.append(.charts) }
    self.declarations = all
    self.own = own
    shadowed = declarations.types.union(own.types).intersection(known)
    self.known = known.subtracting(shadowed)
    read()
  }

  private mutating func read() {
    var scopes = [Scope(end: tokens.count, isBlock: true, result: nil)]
    var index = 0
    while index < tokens.count {
      while scopes.count > 1, let top = scopes.last, index >= top.end - 1 {
        scopes.removeLast()
        scopes[scopes.count - 1].isStart = top.isBlock
        index = max(index, top.end)
      }
      guard index < tokens.count else { break }
      step(&index, &scopes)
    }
  }

  private mutating func step(_ index: inout Int, _ scopes: inout [Scope]) {
    let top = scopes.count - 1
    if scopes[top].isBlock, tokens.all[index].isFirst, !tokens.goesOn(index) { scopes[top].isStart = true }
    let isStart = scopes[top].isBlock && scopes[top].isStart
    switch tokens.all[index].kind {
    case .open: open(&index, &scopes, isStart)
    case .word:
      if isStart { scopes[top].isControl = false }
      scopes[top].isStart = false
      word(&index, &scopes[top], isStart)
    case .string:
      if isStart, let result = scopes[top].result { expect(index..<index + 1, result) }
      scopes[top].isStart = false
      index += 1
    case .other, .close:
      let isEnd = tokens.isToken(index, ";") || (scopes[top].isCase && tokens.isToken(index, ":"))
      if isStart, tokens.isToken(index, "."), let result = scopes[top].result { value(index, result) }
      if tokens.isToken(index, "="), scopes[top].isBlock { assignment(index) }
      if isEnd { scopes[top].isCase = false }
      scopes[top].isStart = isEnd
      index += 1
    }
  }

  private mutating func open(_ index: inout Int, _ scopes: inout [Scope], _ isStart: Bool) {
    let top = scopes.count - 1
    let end = tokens.behind(index)
    if isStart, !tokens.isToken(index, "{"), let result = scopes[top].result { value(index, result) }
    let isBlock = tokens.isToken(index, "{")
    var result: SwiftType?
    if isBlock {
      if let known = results.removeValue(forKey: index) {
        result = known
      } else if scopes[top].isBlock, scopes[top].isControl {
        result = scopes[top].result
      }
    }
    scopes[top].isStart = false
    let owner = owners.removeValue(forKey: index) ?? scopes[top].owner
    scopes.append(Scope(end: end, isBlock: isBlock, result: result, owner: owner))
    index += 1
  }

  private mutating func word(_ index: inout Int, _ scope: inout Scope, _ isStart: Bool) {
    if tokens.isToken(index - 1, "."), tokens.touches(index) {
      if tokens.isToken(index + 1, "(") { call(index) }
      index += 1
      return
    }
    switch tokens.all[index].keyword {
    case .result:
      if let result = scope.result { value(index + 1, result) }
    case .variable: return property(&index, of: scope.owner)
    case .type where tokens.kind(index + 1) == .word: type(index)
    case .function: return function(&index, name: tokens.string(index + 1))
    case .subscripted where isStart: return function(&index, name: nil)
    case .initializer where isStart && !tokens.isToken(index + 1, "."): return function(&index, name: nil)
    case .enumerationCase, .otherwise: scope.isCase = true
    case .setter:
      if isStart { mask(index) }
    case .control: scope.isControl = true
    default:
      if isStart, let result = scope.result { value(index, result) }
      if tokens.isToken(index + 1, "(") { call(index) }
    }
    index += 1
  }

  /// In the braces of a setter nothing is given back.
  private mutating func mask(_ index: Int) {
    var open = index + 1
    if tokens.isToken(open, "(") { open = tokens.behind(open) }
    if tokens.isToken(open, "{") { results[open] = .some(nil) }
  }

  /// The type that a word declares or extends.
  private mutating func type(_ index: Int) {
    var open = index + 1
    guard case .named(let name) = tokens.type(at: &open) else { return }
    while open < min(tokens.count, index + 200), !tokens.isToken(open, "{"), !tokens.isToken(open, "}") { open += 1 }
    if tokens.isToken(open, "{") { owners[open] = name }
  }

  private mutating func property(_ index: inout Int, of owner: String?) {
    index += 1
    guard tokens.kind(index) == .word, tokens.isToken(index + 1, ":") else { return }
    index += 2
    var type = tokens.type(at: &index)
    if type == .named("Self"), let owner { type = .named(owner) }
    if tokens.isToken(index, "=") { value(index + 1, type) }
    // A block of a stored property watches it.
    if tokens.isToken(index, "{") {
      let watches = tokens.isToken(index + 1, "willSet") || tokens.isToken(index + 1, "didSet")
      results[index] = .some(watches ? nil : type)
    }
  }

  private mutating func function(_ index: inout Int, name: String?) {
    index += name == nil ? 1 : 2
    if tokens.isToken(index, "?") || tokens.isToken(index, "!") { index += 1 }
    if tokens.isToken(index, "<") { index = tokens.genericsEnd(index) }
    guard tokens.isToken(index, "(") else { return }
    defaults(index)
    index = tokens.behind(index)
    let result = tokens.result(at: &index)
    var body = index
    if tokens.isToken(body, "where") {
      while body < min(tokens.count, index + 200), !tokens.isToken(body, "{"), !tokens.isToken(body, "}") { body += 1 }
    }
    if tokens.isToken(body, "{") { results[body] = .some(result) }
  }

  /// The values that parameters have where a call does not name them.
  private mutating func defaults(_ open: Int) {
    let end = tokens.behind(open) - 1
    var index = open + 1
    while index < end {
      guard tokens.isToken(index, ":") else {
        index = tokens.kind(index) == .open ? tokens.behind(index) : index + 1
        continue
      }
      index += 1
      let type = tokens.type(at: &index)
      if tokens.isToken(index, "=") { value(index + 1, type) }
    }
  }

  private mutating func assignment(_ index: Int) {
    guard tokens.kind(index - 1) == .word, let type = own.property(tokens.string(index - 1)) else { return }
    value(index + 1, type)
  }

  /// The call of the name at an index: what its arguments are.
  private mutating func call(_ index: Int) {
    let name = tokens.string(index)
    let open = index + 1
    guard tokens.touches(open) else { return }
    if name == "init" {
      // `Name.init(…)`, or any `.init(localized: …)`.
      let owner = tokens.kind(index - 2) == .word && tokens.touches(index - 1) ? tokens.string(index - 2) : ""
      let type = tokens.isToken(open + 1, "localized") && owner.isEmpty ? "String" : owner
      return arguments(open, declarations.initializers[type] ?? [])
    }
    if known.contains(name) { applied(open) }
    let functions = declarations.functions[name]
    let initializers = declarations.initializers[name]
    if let functions, let initializers { return arguments(open, functions.union(initializers), of: name) }
    if let signatures = functions ?? initializers { arguments(open, signatures, of: name) }
  }

  /// `.help({ … }())`: what the closure gives back is the key; and `Text(.init("…"))`.
  private mutating func applied(_ open: Int) {
    if tokens.isToken(open + 1, "."), tokens.isToken(open + 2, "init"), tokens.isToken(open + 3, "(") {
      return expect(open + 1..<tokens.behind(open + 3), .named("LocalizedStringKey"))
    }
    guard tokens.isToken(open + 1, "{") else { return }
    let end = tokens.behind(open + 1)
    if tokens.isToken(end, "("), tokens.isToken(end + 1, ")") { results[open + 1] = .named("LocalizedStringKey") }
  }

  private mutating func arguments(_ open: Int, _ signatures: Set<SwiftDeclarations.Signature>, of name: String? = nil) {
    guard !signatures.isEmpty else { return }
    let arguments = tokens.arguments(open)
    var types = [[SwiftType]](repeating: [], count: arguments.count)
    for signature in signatures {
      guard let matched = Self.match(arguments, signature) else { continue }
      for (index, type) in matched.enumerated() where type != .other && !types[index].contains(type) {
        types[index].append(type)
      }
    }
    for (argument, types) in zip(arguments, types) {
      // A literal is a String where a function takes one too.
      guard !types.contains(where: \.isString) else { continue }
      if argument.label == nil, let name, known.contains(name) { continue }
      for type in types { expect(argument.value, type) }
    }
  }

  /// The types that a function's parameters have for a call's arguments; nil where the call is not one of it.
  private static func match(_ arguments: [SwiftTokens.Argument], _ signature: SwiftDeclarations.Signature)
    -> [SwiftType]?
  {
    var types: [SwiftType] = []
    types.reserveCapacity(arguments.count)
    var next = 0
    for argument in arguments {
      let label = argument.label
      if label == nil, next > 0, signature[next - 1].isVariadic {
        types.append(signature[next - 1].type)
        continue
      }
      // Labels are told apart by what they say; their order is the compiler's to check.
      let rest = label == nil ? signature[next...] : signature[...]
      guard let at = rest.firstIndex(where: { $0.label == label }) else { return nil }
      types.append(signature[at].type)
      next = at + 1
    }
    return types
  }

  /// The value that begins at an index is of a type.
  private mutating func value(_ index: Int, _ type: SwiftType) {
    guard type != .other, index < tokens.count else { return }
    // A stored property's block watches it.
    let watches = tokens.isToken(index + 2, "didSet") || tokens.isToken(index + 2, "willSet")
    if tokens.kind(index) == .string, tokens.isToken(index + 1, "{"), watches {
      results[index + 1] = .some(nil)
      return expect(index..<index + 1, type)
    }
    expect(index..<tokens.valueEnd(index), type)
  }

  private mutating func expect(_ range: Range<Int>, _ type: SwiftType, depth: Int = 0) {
    guard depth < 32, let first = range.first else { return }
    if let (condition, other) = tokens.branches(range) {
      expect(condition + 1..<other, type, depth: depth + 1)
      return expect(other + 1..<range.upperBound, type, depth: depth + 1)
    }
    if let otherwise = tokens.firstAtTop(range, "??") {
      return expect(otherwise + 1..<range.upperBound, type, depth: depth + 1)
    }
    switch tokens.all[first].kind {
    case .string:
      if range.count == 1, type.isKey { literals.insert(Int(tokens.all[first].start)) }
    case .open where tokens.behind(first) == range.upperBound: bracketed(range, type, depth)
    case .open where tokens.isToken(first, "{") && tokens.behind(first) + 2 == range.upperBound:
      // A closure that is called at once.
      if tokens.isToken(range.upperBound - 2, "(") { results[first] = .some(type) }
    case .word where tokens.isToken(first, "if") || tokens.isToken(first, "switch"):
      for index in tokens.top(range) where tokens.isToken(index, "{") { results[index] = .some(type) }
    case .other where tokens.isToken(first, ".") && tokens.isToken(first + 1, "init") && tokens.isToken(first + 2, "("):
      guard tokens.behind(first + 2) == range.upperBound, case .named(let name) = type else { return }
      let isUnlabeled = !(tokens.kind(first + 3) == .word && tokens.isToken(first + 4, ":"))
      if isUnlabeled, type.isKey || name == "Text" {
        calls.insert(Int(tokens.all[first + 1].start))
      } else {
        arguments(first + 2, declarations.initializers[name] ?? [])
      }
    default: break
    }
  }

  private mutating func bracketed(_ range: Range<Int>, _ type: SwiftType, _ depth: Int) {
    let first = range.lowerBound
    switch type {
    case .function(let result):
      if tokens.isToken(first, "{") { results[first] = .some(result) }
    case .list(let inner) where tokens.isToken(first, "["):
      for argument in tokens.arguments(first) { expect(argument.value, inner, depth: depth + 1) }
    case .dictionary(let inner) where tokens.isToken(first, "["):
      for argument in tokens.arguments(first) {
        guard let colon = tokens.firstAtTop(argument.range, ":") else { continue }
        expect(colon + 1..<argument.range.upperBound, inner, depth: depth + 1)
      }
    default:
      if tokens.isToken(first, "(") { expect(first + 1..<range.upperBound - 1, type, depth: depth + 1) }
    }
  }
}

extension SwiftTokens {
  struct Argument {
    let label: String?
    let range: Range<Int>
    /// Without the label.
    let value: Range<Int>
  }

  /// The indices of tokens between which no bracket is open.
  func top(_ range: Range<Int>) -> some Sequence<Int> {
    sequence(first: range.lowerBound) { self.kind($0) == .open ? self.behind($0) : $0 + 1 }
      .prefix { $0 < range.upperBound }
  }

  func firstAtTop(_ range: Range<Int>, _ word: StaticString) -> Int? { top(range).first { isToken($0, word) } }

  /// The arguments or elements between the brackets at an index.
  func arguments(_ open: Int) -> [Argument] {
    let end = behind(open) - 1
    guard open + 1 < end else { return [] }
    var result: [Argument] = []
    var start = open + 1
    func add(_ end: Int) {
      guard start < end else { return }
      let isLabeled = kind(start) == .word && isToken(start + 1, ":")
      let value = isLabeled ? start + 2 : start
      result.append(
        Argument(label: isLabeled ? string(start) : nil, range: start..<end, value: value..<max(end, value)))
    }
    for index in top(open + 1..<end) where isToken(index, ",") {
      add(index)
      start = index + 1
    }
    add(end)
    return result
  }

  /// The places of the sign behind a condition and the colon between its branches stand.
  func branches(_ range: Range<Int>) -> (Int, Int)? {
    var condition: Int?
    var open = 0
    for index in top(range) {
      if isToken(index, "?"), !touches(index) {
        if condition == nil { condition = index } else { open += 1 }
      } else if isToken(index, ":"), let condition {
        if open == 0 { return (condition, index) }
        open -= 1
      }
    }
    return nil
  }

  /// Tells whether a token at a line's beginning belongs to the statement of the line before.
  func goesOn(_ index: Int) -> Bool {
    guard index > 0 else { return false }
    if kind(index) == .other, !isToken(index, "@"), !isToken(index, "#"), !(isToken(index, ".") && begins(index)) {
      return true
    }
    guard kind(index - 1) == .other || isToken(index - 1, "(") || isToken(index - 1, "[") else {
      return ["return", "in", "try", "await", "throw"].contains { $0 == string(index - 1) } && !isToken(index - 1, "in")
    }
    return !isToken(index - 1, ":") && !isToken(index - 1, ";") && !isToken(index - 1, "?") && !isToken(index - 1, "!")
  }

  /// Tells whether the name behind a dot has nothing to belong to: `.init(…)` behind a brace.
  private func begins(_ index: Int) -> Bool {
    isToken(index - 1, "{") || isToken(index - 1, ":") || isToken(index - 1, "return")
  }

  /// Tells whether the source imports a module.
  func imports(_ module: StaticString) -> Bool {
    all.indices.contains { isToken($0, "import") && isToken($0 + 1, module) }
  }

  /// Behind the value that begins at an index.
  func valueEnd(_ start: Int) -> Int {
    var index = start
    while index < count {
      if kind(index) == .close || isToken(index, ",") || isToken(index, ";") { return index }
      if index > start, all[index].isFirst, !goesOn(index) { return index }
      index = kind(index) == .open ? behind(index) : index + 1
    }
    return index
  }
}
