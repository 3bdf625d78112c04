extension OldSwiftName {
  /// - Parameter ofDeclaration: Whether generic parameters follow a function's name, without a space.
  mutating func type(ofDeclaration: Bool = false) throws(Failure) -> String {
    let text = try nesting { (name) throws(Failure) in try name.anyType(ofDeclaration) }
    return try bounded(text)
  }

  private mutating func anyType(_ ofDeclaration: Bool) throws(Failure) -> String {
    switch try next() {
    case UInt8(ascii: "B"): return try builtin()
    case UInt8(ascii: "a"): return try nominalType(isClass: false).text
    case UInt8(ascii: "b"): return "@convention(block) " + (try function())
    case UInt8(ascii: "c"): return "@convention(c) " + (try function())
    case UInt8(ascii: "D"):
      _ = try type()
      return "Self"
    case UInt8(ascii: "E"):
      try expect("RR")
      return "<ERROR TYPE>"
    case UInt8(ascii: "F"), UInt8(ascii: "f"): return try function()
    case UInt8(ascii: "K"): return "@autoclosure " + (try function())
    case UInt8(ascii: "G"): return try boundGeneric().text
    case UInt8(ascii: "M"): return try type() + ".Type"
    case UInt8(ascii: "P"):
      if skip("M") { return try type() + ".Type" }
      return try protocols()
    case UInt8(ascii: "Q"):
      try expect("u")
      return "some"
    case UInt8(ascii: "R"): return "inout " + (try type())
    case UInt8(ascii: "T"): return try tuple(isVariadic: false)
    case UInt8(ascii: "t"): return try tuple(isVariadic: true)
    case UInt8(ascii: "u"):
      let signature = try genericSignature()
      let isFunction = peek == UInt8(ascii: "F") || peek == UInt8(ascii: "f")
      return signature + (isFunction ? "" : " ") + (try type())
    case UInt8(ascii: "X"): return try storage()
    case UInt8(ascii: "S"), UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"):
      position -= 1
      return try nominalType().text
    case UInt8(ascii: "x"), UInt8(ascii: "q"), UInt8(ascii: "w"), UInt8(ascii: "W"):
      position -= 1
      return try dependentType()
    default: throw Failure()
    }
  }

  private mutating func builtin() throws(Failure) -> String {
    switch try next() {
    case UInt8(ascii: "b"): return "Builtin.BridgeObject"
    case UInt8(ascii: "B"): return "Builtin.UnsafeValueBuffer"
    case UInt8(ascii: "O"): return "Builtin.UnknownObject"
    case UInt8(ascii: "o"): return "Builtin.NativeObject"
    case UInt8(ascii: "p"): return "Builtin.RawPointer"
    case UInt8(ascii: "t"): return "Builtin.SILToken"
    case UInt8(ascii: "w"): return "Builtin.Word"
    case UInt8(ascii: "i"): return "Builtin.Int\(try width())"
    case UInt8(ascii: "f"): return "Builtin.FPIEEE\(try width())"
    case UInt8(ascii: "v"):
      let count = try number()
      try expect("B")
      if skip("p") { return "Builtin.Vec\(count)xRawPointer" }
      if skip("i") { return "Builtin.Vec\(count)xInt\(try width())" }
      try expect("f")
      return "Builtin.Vec\(count)xFPIEEE\(try width())"
    default: throw Failure()
    }
  }

  private mutating func width() throws(Failure) -> Int {
    let value = try number()
    try expect("_")
    return value
  }

  private mutating func function() throws(Failure) -> String {
    let canThrow = skip("z")
    let isTuple = peek == UInt8(ascii: "T") || peek == UInt8(ascii: "t")
    let arguments = try type()
    return (isTuple ? arguments : "(\(arguments))") + (canThrow ? " throws" : "") + " -> " + (try type())
  }

  private mutating func tuple(isVariadic: Bool) throws(Failure) -> String {
    var elements: [String] = []
    while !skip("_") {
      let label = isIdentifierNext && peek != UInt8(ascii: "X") ? try identifier() + ": " : try punycodeLabel()
      elements.append(label + (try type()))
    }
    if isVariadic, let last = elements.popLast() { elements.append(last + "...") }
    return "(\(elements.joined(separator: ", ")))"
  }

  /// `X` begins a label that is not ASCII, or a type; only a label goes on with a digit.
  private mutating func punycodeLabel() throws(Failure) -> String {
    guard peek == UInt8(ascii: "X"), position + 1 < bytes.count, RustName.isDigit(bytes[position + 1]) else {
      return ""
    }
    return try identifier() + ": "
  }

  private mutating func protocols() throws(Failure) -> String {
    var names: [String] = []
    while !skip("_") { names.append(try protocolName()) }
    return names.isEmpty ? "Any" : names.joined(separator: " & ")
  }

  /// A protocol, without the letter that other types have.
  mutating func protocolName() throws(Failure) -> String {
    if peek == UInt8(ascii: "S") {
      let found = try substitution()
      if found.ownName != nil { return found.text }
      return try named(in: found).text
    }
    return try nominalType(isClass: false).text
  }

  private mutating func named(in parent: Context) throws(Failure) -> Context {
    let name = try declarationName()
    let type = Context(text: try bounded(Self.joined(parent, name)), ownName: name)
    substitutions.append(type)
    return type
  }

  /// A type with its arguments; types that it stands in have theirs first.
  mutating func boundGeneric() throws(Failure) -> Context {
    let type = try nominalType()
    var bound = type
    bound.text = try arguments(of: type, level: 0)
    return bound
  }

  private mutating func arguments(of type: Context, level: Int) throws(Failure) -> String {
    guard level < 32 else { throw Failure() }
    var text = type.text
    if let parent = type.parent.first, let name = type.ownName {
      text = try arguments(of: parent, level: level + 1) + "." + name
    }
    var arguments: [String] = []
    while !skip("_") { arguments.append(try self.type()) }
    return try bounded(arguments.isEmpty ? text : "\(text)<\(arguments.joined(separator: ", "))>")
  }

  /// References that are weak, boxes, and functions as the optimiser sees them.
  private mutating func storage() throws(Failure) -> String {
    if skip("o") { return "unowned " + (try type()) }
    if skip("u") { return "unowned(unsafe) " + (try type()) }
    if skip("w") { return "weak " + (try type()) }
    if skip("b") { return "@box " + (try type()) }
    if skip("f") { return "@convention(thin) " + (try function()) }
    try expect("F")
    return try loweredFunction()
  }

  private mutating func loweredFunction() throws(Failure) -> String {
    var text: String
    switch try next() {
    case UInt8(ascii: "t"): text = "@convention(thin)"
    case UInt8(ascii: "b"): text = "@callee_unowned"
    case UInt8(ascii: "g"): text = "@callee_guaranteed"
    case UInt8(ascii: "o"): text = "@callee_owned"
    default: throw Failure()
    }
    if skip("Cb") { text += " @convention(block)" }
    if skip("Cc") { text += " @convention(c)" }
    if skip("Cm") { text += " @convention(method)" }
    if skip("CO") { text += " @convention(objc_method)" }
    if skip("N") { text += " @noreturn" }
    if skip("G") { text += " " + (try genericSignature()) }
    try expect("_")
    let parameters = try conventions(["i": "@in", "l": "@inout", "d": "@unowned", "g": "@guaranteed", "o": "@owned"])
    let results = try conventions([
      "i": "@out", "d": "@unowned", "o": "@owned", "D": "@unowned_inner_pointer", "a": "@autoreleased",
    ])
    return "\(text) (\(parameters)) -> (\(results))"
  }

  private mutating func conventions(_ known: [String: String]) throws(Failure) -> String {
    var values: [String] = []
    while !skip("_") {
      let isError = skip("z")
      guard let convention = known[String(decoding: [try next()], as: UTF8.self)] else { throw Failure() }
      values.append((isError ? "@error " : "") + convention + " " + (try type()))
    }
    return values.joined(separator: ", ")
  }
}
