/// The statements of declarations about the arguments, results and properties that hold keys.
struct SwiftDeclarations: Sendable {
  struct Parameter: Sendable, Hashable {
    /// Nil where the call has none.
    let label: String?
    let type: SwiftType
    var isVariadic = false
  }

  /// The parameters of a function, an initializer or an enumeration's case.
  typealias Signature = [Parameter]

  /// By the name of the function or the case.
  private(set) var functions: [String: Set<Signature>] = [:]
  /// By the name of the type.
  private(set) var initializers: [String: Set<Signature>] = [:]
  /// The types that properties of a name have.
  private(set) var properties: [String: Set<SwiftType>] = [:]
  /// The types that functions of a name give back.
  private(set) var results: [String: Set<SwiftType>] = [:]
  /// The types that are declared, those of other files only where these see them by their name alone.
  private(set) var types: Set<String> = []

  /// The types that stand inside of others, and private ones.
  private var hidden: Set<String> = []

  init() {}

  init(_ tokens: SwiftTokens) { read(tokens) }

  /// Takes the declarations of frameworks, whose types are no types of the app.
  init(framework text: String) {
    Array(text.utf8).withUnsafeBufferPointer { read(SwiftTokens($0)) }
    types = []
  }

  mutating func append(_ other: SwiftDeclarations) {
    functions.merge(other.functions) { $0.union($1) }
    initializers.merge(other.initializers) { $0.union($1) }
    properties.merge(other.properties) { $0.union($1) }
    results.merge(other.results) { $0.union($1) }
    types.formUnion(other.types)
  }

  /// The part of it that other files know by its name alone.
  var shared: SwiftDeclarations {
    var result = self
    result.types.subtract(hidden)
    return result
  }

  /// Only the functions and initializers that take keys, with all that have the name of one.
  func ofKeys() -> SwiftDeclarations {
    var result = self
    let made = initializers.filter { $1.contains { $0.contains { $0.type.mayHoldKey { _ in false } } } }
    func isRelevant(_ signatures: Set<Signature>) -> Bool {
      signatures.contains { $0.contains { $0.type.mayHoldKey { made[$0] != nil } } }
    }
    result.functions = functions.filter { isRelevant($1) }
    result.initializers = initializers.filter { isRelevant($1) }
    return result
  }

  /// The type that all properties of a name have.
  func property(_ name: String) -> SwiftType? {
    properties[name].flatMap { $0.count == 1 ? $0.first : nil }
  }

  /// The type that all functions of a name give back.
  func result(_ name: String) -> SwiftType? {
    results[name].flatMap { $0.count == 1 ? $0.first : nil }
  }

  /// A type whose body is being read.
  private struct Body {
    let name: String
    let kind: String
    let end: Int
    var stored: Signature = []
    var hasInitializer = false
  }

  private mutating func read(_ tokens: SwiftTokens) {
    var bodies: [Body] = []
    var index = 0
    while index < tokens.count {
      while let body = bodies.last, index >= body.end { leave(body, &bodies) }
      guard tokens.kind(index) == .word, !tokens.isToken(index - 1, ".") else {
        index += 1
        continue
      }
      switch tokens.all[index].keyword {
      case .type where tokens.kind(index + 1) == .word:
        index = type(tokens, tokens.string(index), index + 1, &bodies)
      case .function: index = function(tokens, index + 1)
      case .initializer where !bodies.isEmpty: index = initializer(tokens, index + 1, &bodies)
      case .enumerationCase where bodies.last?.kind == "enum": index = enumerationCase(tokens, index + 1)
      case .variable: index = property(tokens, index, &bodies)
      default: index += 1
      }
    }
    while let body = bodies.last { leave(body, &bodies) }
  }

  /// A structure without an initializer of its own has one for its properties.
  private mutating func leave(_ body: Body, _ bodies: inout [Body]) {
    bodies.removeLast()
    if body.kind == "struct", !body.hasInitializer, !body.stored.isEmpty {
      initializers[body.name, default: []].insert(body.stored)
    }
  }

  private mutating func type(_ tokens: SwiftTokens, _ kind: String, _ start: Int, _ bodies: inout [Body]) -> Int {
    // `class var`, `class func`: no type.
    guard !["var", "func", "let"].contains(tokens.string(start)) else { return start }
    var index = start
    let name: String
    if case .named(let last) = tokens.type(at: &index) { name = last } else { name = "" }
    while index < tokens.count, !tokens.isToken(index, "{") {
      if tokens.isToken(index, "}") || tokens.isToken(index, ";") { return index }
      index += 1
    }
    guard index < tokens.count else { return index }
    if kind != "extension" {
      types.insert(name)
      if !bodies.isEmpty || tokens.string(start - 2).hasSuffix("private") { hidden.insert(name) }
    }
    bodies.append(Body(name: name, kind: kind, end: tokens.behind(index)))
    return index + 1
  }

  private mutating func function(_ tokens: SwiftTokens, _ start: Int) -> Int {
    guard tokens.kind(start) == .word else { return start }
    let name = tokens.string(start)
    var index = start + 1
    if tokens.isToken(index, "<") { index = tokens.genericsEnd(index) }
    guard tokens.isToken(index, "(") else { return index }
    functions[name, default: []].insert(tokens.parameters(index))
    index = tokens.behind(index)
    if let result = tokens.result(at: &index) { results[name, default: []].insert(result) }
    return index
  }

  private mutating func initializer(_ tokens: SwiftTokens, _ start: Int, _ bodies: inout [Body]) -> Int {
    var index = start
    if tokens.isToken(index, "?") || tokens.isToken(index, "!") { index += 1 }
    if tokens.isToken(index, "<") { index = tokens.genericsEnd(index) }
    guard tokens.isToken(index, "("), let body = bodies.last else { return start }
    bodies[bodies.count - 1].hasInitializer = body.kind != "extension"
    initializers[body.name, default: []].insert(tokens.parameters(index))
    return tokens.behind(index)
  }

  private mutating func enumerationCase(_ tokens: SwiftTokens, _ start: Int) -> Int {
    var index = start
    while tokens.kind(index) == .word {
      let name = tokens.string(index)
      index += 1
      if tokens.isToken(index, "(") {
        functions[name, default: []].insert(tokens.parameters(index))
        index = tokens.behind(index)
      }
      guard tokens.isToken(index, ",") else { break }
      index += 1
    }
    return index
  }

  private mutating func property(_ tokens: SwiftTokens, _ start: Int, _ bodies: inout [Body]) -> Int {
    guard tokens.kind(start + 1) == .word else { return start + 1 }
    let name = tokens.string(start + 1)
    var index = start + 2
    let type: SwiftType
    if tokens.isToken(index, ":") {
      index += 1
      type = tokens.type(at: &index)
    } else if tokens.isToken(index, "=") {
      type = tokens.literalType(index + 1)
    } else {
      return index
    }
    properties[name, default: []].insert(type)
    let isStored =
      !tokens.isToken(index, "{") || tokens.isToken(index + 1, "didSet") || tokens.isToken(index + 1, "willSet")
    let isStatic = tokens.isToken(start - 1, "static") || tokens.isToken(start - 2, "static")
    if isStored, !isStatic, let body = bodies.last, body.kind == "struct" {
      bodies[bodies.count - 1].stored.append(Parameter(label: name, type: type))
    }
    return index
  }
}

extension SwiftTokens {
  /// The parameters between the brackets at an index.
  func parameters(_ open: Int) -> SwiftDeclarations.Signature {
    let end = behind(open) - 1
    var result: SwiftDeclarations.Signature = []
    var index = open + 1
    while index < end {
      let start = index
      while isToken(index, "@") {
        index += 2
        if isToken(index, "("), touches(index) { index = behind(index) }
      }
      var label: String?
      if kind(index) == .word, isToken(index + 1, ":") || (kind(index + 1) == .word && isToken(index + 2, ":")) {
        label = string(index) == "_" ? nil : string(index)
        index += isToken(index + 1, ":") ? 2 : 3
      }
      let type = type(at: &index)
      let isVariadic = isToken(index, ".") && isToken(index + 1, ".")
      result.append(SwiftDeclarations.Parameter(label: label, type: type, isVariadic: isVariadic))
      while index < end, !isToken(index, ",") { index = kind(index) == .open ? behind(index) : index + 1 }
      index = max(index + 1, start + 1)
    }
    return result
  }

  /// The type behind `->`, other words of the declaration passed over; nil where none stands there.
  func result(at index: inout Int) -> SwiftType? {
    while isToken(index, "async") || isToken(index, "throws") || isToken(index, "rethrows") {
      index += 1
      if isToken(index, "("), touches(index) { index = behind(index) }
    }
    guard isToken(index, "->") else { return nil }
    index += 1
    return type(at: &index)
  }

  /// The type that a literal at an index, or the call of a type's name, has by itself.
  func literalType(_ index: Int) -> SwiftType {
    guard let kind = kind(index) else { return .other }
    if kind == .string { return .named("String") }
    guard kind == .word else { return .other }
    let word = string(index)
    if let first = word.utf8.first, (0x30...0x39).contains(first) {
      return .named(word.utf8.contains(UInt8(ascii: ".")) ? "Double" : "Int")
    }
    let isCall = isToken(index + 1, "(") && word.first?.isUppercase == true
    return isCall ? .named(word) : .other
  }
}
