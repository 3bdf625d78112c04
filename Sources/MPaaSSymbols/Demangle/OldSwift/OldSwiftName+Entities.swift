extension OldSwiftName {
  private static let swift = Context(text: "Swift")

  /// Reads the context of a declaration: a module, a type, an extension, or other code.
  mutating func context() throws(Failure) -> Context {
    try nesting { (name) throws(Failure) in try name.anyContext() }
  }

  private mutating func anyContext() throws(Failure) -> Context {
    switch peek {
    case UInt8(ascii: "s"):
      position += 1
      return Self.swift
    case UInt8(ascii: "S"): return try substitution()
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "P"): return try nominalType()
    case UInt8(ascii: "G"):
      position += 1
      return try boundGeneric()
    case UInt8(ascii: "E"):
      position += 1
      let module = try context()
      let type = try context()
      return Context(text: try bounded("(extension in \(module.text)):\(type.text)"), isClass: type.isClass)
    case UInt8(ascii: "e"):
      position += 1
      let module = try context()
      let signature = try genericSignature()
      let type = try context()
      return Context(text: try bounded("(extension in \(module.text)):\(type.text)\(signature)"), isClass: type.isClass)
    case UInt8(ascii: "F"), UInt8(ascii: "v"), UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "Z"):
      return try entity()
    default:
      let module = Context(text: try identifier())
      substitutions.append(module)
      return module
    }
  }

  /// A class, struct, enum or protocol.
  mutating func nominalType() throws(Failure) -> Context {
    let kind = try next()
    if kind == UInt8(ascii: "S") {
      position -= 1
      return try substitution()
    }
    guard "CVOP".utf8.contains(kind) else { throw Failure() }
    return try nominalType(isClass: kind == UInt8(ascii: "C"))
  }

  /// Reads what follows the letter of a type with a name: its context and its name.
  mutating func nominalType(isClass: Bool) throws(Failure) -> Context {
    let parent = try context()
    let name = try declarationName()
    let text = try bounded(Self.joined(parent, name))
    let type = Context(
      text: text, isBehind: parent.isBehind, ownName: name, isClass: isClass,
      parent: parent.ownName != nil && !parent.isBehind ? [parent] : [])
    substitutions.append(type)
    return type
  }

  static func joined(_ context: Context, _ name: String) -> String {
    context.isBehind ? "\(name) in \(context.text)" : "\(context.text).\(name)"
  }

  /// A name; of one that only its file or function knows, with what tells it from others.
  func isLocal(_ name: String) -> Bool { name.contains(" #") }

  mutating func declarationName() throws(Failure) -> String {
    if skip("L") {
      let number = try index()
      return "\(try identifier()) #\(number + 1)"
    }
    if skip("P") {
      let file = try identifier()
      return "(\(try identifier()) in \(file))"
    }
    return try identifier()
  }

  /// An earlier part, or one of the library's types.
  mutating func substitution() throws(Failure) -> Context {
    try expect("S")
    if skip("o") { return Context(text: "__C") }
    if skip("C") { return Context(text: "__C_Synthesized") }
    if let letter = peek, let name = Self.known[letter] {
      position += 1
      return Context(text: "Swift." + name, ownName: name)
    }
    let number = try index()
    guard substitutions.indices.contains(number) else { throw Failure() }
    return substitutions[number]
  }

  private static let known: [UInt8: String] = [
    UInt8(ascii: "a"): "Array", UInt8(ascii: "b"): "Bool", UInt8(ascii: "c"): "UnicodeScalar",
    UInt8(ascii: "d"): "Double", UInt8(ascii: "f"): "Float", UInt8(ascii: "i"): "Int",
    UInt8(ascii: "P"): "UnsafePointer", UInt8(ascii: "p"): "UnsafeMutablePointer",
    UInt8(ascii: "Q"): "ImplicitlyUnwrappedOptional", UInt8(ascii: "q"): "Optional",
    UInt8(ascii: "R"): "UnsafeBufferPointer", UInt8(ascii: "r"): "UnsafeMutableBufferPointer",
    UInt8(ascii: "S"): "String", UInt8(ascii: "u"): "UInt", UInt8(ascii: "V"): "UnsafeRawPointer",
    UInt8(ascii: "v"): "UnsafeMutableRawPointer",
  ]

  // MARK: Functions, variables and their parts

  /// The way in which an entity's name and its type are joined.
  private enum Typing { case none, function, value }

  /// A function, a variable, a subscript, or a value's initial expression.
  mutating func entity() throws(Failure) -> Context {
    try nesting { (name) throws(Failure) in try name.anyEntity() }
  }

  private mutating func anyEntity() throws(Failure) -> Context {
    var isStatic = skip("Z")
    let kind = try next()
    guard "FvIi".utf8.contains(kind) else { throw Failure() }
    if skip("Z") {
      // The variable is static in the name of an initial expression, not the expression.
      if kind == UInt8(ascii: "I") { position -= 1 } else { isStatic = true }
    }
    if kind == UInt8(ascii: "I") { return try expression() }
    let place = try context()
    var (name, typing) = try part(in: place)
    if kind == UInt8(ascii: "v") { typing = .value }
    if typing != .none {
      let isFunction = "FfKurb".utf8.contains(peek ?? 0) || (peek == UInt8(ascii: "u"))
      let isPlain = "Ffu".utf8.contains(peek ?? 0)
      let type = try type(ofDeclaration: true)
      switch (typing, isPlain && isFunction) {
      case (.function, true): name += (isLocal(name) ? " " : "") + type
      default: name += " : " + type
      }
    }
    let text = Self.joined(place, name)
    return Context(text: try bounded((isStatic ? "static " : "") + text), isBehind: true)
  }

  /// The value that an argument has by default, or that a variable begins with.
  private mutating func expression() throws(Failure) -> Context {
    // The variable stands there whole, or only the type that it is in.
    let place = try context()
    if skip("A") {
      return Context(text: try bounded("default argument \(try index()) of \(place.text)"), isBehind: true)
    }
    try expect("i")
    return Context(text: try bounded("variable initialization expression of \(place.text)"), isBehind: true)
  }

  /// The name of an entity, or what it is where it has none.
  private mutating func part(in place: Context) throws(Failure) -> (String, Typing) {
    if skip("D") { return ("__deallocating_deinit", .none) }
    if skip("Z") { return ("__isolated_deallocating_deinit", .none) }
    if skip("d") { return ("deinit", .none) }
    if skip("e") { return ("__ivar_initializer", .none) }
    if skip("E") { return ("__ivar_destroyer", .none) }
    if skip("C") { return (place.isClass ? "__allocating_init" : "init", .function) }
    if skip("c") { return ("init", .function) }
    if skip("U") { return ("closure #\(try index() + 1)", .function) }
    if skip("u") { return ("implicit closure #\(try index() + 1)", .function) }
    for (letters, accessor) in Self.accessors where skip(letters) {
      return (try declarationName() + "." + accessor, .value)
    }
    return (try declarationName(), .function)
  }

  private static let accessors: [(StaticString, String)] = [
    ("aO", "owningMutableAddressor"), ("ao", "nativeOwningMutableAddressor"), ("ap", "nativePinningMutableAddressor"),
    ("au", "unsafeMutableAddressor"), ("lO", "owningAddressor"), ("lo", "nativeOwningAddressor"),
    ("lp", "nativePinningAddressor"), ("lu", "unsafeAddressor"), ("g", "getter"), ("G", "getter"), ("s", "setter"),
    ("m", "materializeForSet"), ("w", "willset"), ("W", "didset"),
  ]
}
