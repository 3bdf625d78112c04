extension OldSwiftName {
  /// Reads the purpose of a symbol: code, metadata, a witness, a thunk.
  mutating func global() throws(Failure) -> String {
    try nesting { (name) throws(Failure) in try name.anyGlobal() }
  }

  private mutating func anyGlobal() throws(Failure) -> String {
    if skip("t") { return try type() }
    if skip("M") { return try metadata() }
    if skip("T") { return try thunk() }
    if skip("PA") {
      let text = "partial apply " + (skip("o") ? "ObjC " : "") + "forwarder"
      return skip("__T") ? text + " for " + (try global()) : text
    }
    if skip("W") { return try witness() }
    if skip("w") { return try valueWitness() }
    return try entity().text
  }

  private mutating func metadata() throws(Failure) -> String {
    if skip("P") { return "generic type metadata pattern for " + (try type()) }
    if skip("f") { return "full type metadata for " + (try type()) }
    if skip("n") { return "nominal type descriptor for " + (try type()) }
    if skip("m") { return "metaclass for " + (try type()) }
    if skip("a") { return "type metadata accessor for " + (try type()) }
    if skip("L") { return "lazy cache variable for type metadata for " + (try type()) }
    if skip("p") { return "protocol descriptor for " + (try protocolName()) }
    return "type metadata for " + (try type())
  }

  private mutating func thunk() throws(Failure) -> String {
    if skip("o") { return "@objc " + (try global()) }
    if skip("O") { return "@nonobjc " + (try global()) }
    if skip("D") { return "dynamic " + (try global()) }
    if skip("d") { return "super dispatch thunk of " + (try global()) }
    if skip("V") {
      let derived = try entity().text
      return "vtable thunk for " + (try entity().text) + " dispatching to " + derived
    }
    if skip("R") { return "reabstraction thunk helper " + (try reabstraction()) }
    if skip("r") { return "reabstraction thunk " + (try reabstraction()) }
    if skip("W") {
      let conformance = try conformance()
      return "protocol witness for " + (try entity().text) + " in conformance " + conformance
    }
    if skip("S") { return try specialization() }
    throw Failure()
  }

  private mutating func reabstraction() throws(Failure) -> String {
    let signature = skip("G") ? try genericSignature() + " " : ""
    let target = try type()
    return signature + "from " + (try type()) + " to " + target
  }

  private mutating func witness() throws(Failure) -> String {
    if skip("V") { return "value witness table for " + (try type()) }
    if skip("o") { return "witness table offset for " + (try entity().text) }
    if skip("vd") { return "direct field offset for " + (try entity().text) }
    if skip("vi") { return "indirect field offset for " + (try entity().text) }
    if skip("P") { return "protocol witness table for " + (try conformance()) }
    if skip("a") { return "protocol witness table accessor for " + (try conformance()) }
    if skip("G") { return "generic protocol witness table for " + (try conformance()) }
    if skip("I") { return "instantiation function for generic protocol witness table for " + (try conformance()) }
    if skip("l") {
      let type = try type()
      return "lazy protocol witness table accessor for type \(type) and conformance " + (try conformance())
    }
    if skip("L") {
      let type = try type()
      return "lazy protocol witness table cache variable for type \(type) and conformance " + (try conformance())
    }
    if skip("t") {
      let conformance = try conformance()
      return "associated type metadata accessor for \(try identifier()) in \(conformance)"
    }
    if skip("T") {
      let conformance = try conformance()
      let member = try identifier()
      return "associated type witness table accessor for \(member) : \(try protocolName()) in \(conformance)"
    }
    throw Failure()
  }

  private static let valueWitnesses = [
    "al": "allocateBuffer", "ca": "assignWithCopy", "ta": "assignWithTake", "de": "deallocateBuffer", "xx": "destroy",
    "XX": "destroyBuffer", "Xx": "destroyArray", "CP": "initializeBufferWithCopyOfBuffer",
    "Cp": "initializeBufferWithCopy", "cp": "initializeWithCopy", "Cc": "initializeArrayWithCopy",
    "TK": "initializeBufferWithTakeOfBuffer", "Tk": "initializeBufferWithTake", "tk": "initializeWithTake",
    "Tt": "initializeArrayWithTakeFrontToBack", "tT": "initializeArrayWithTakeBackToFront", "pr": "projectBuffer",
    "xs": "storeExtraInhabitant", "xg": "getExtraInhabitantIndex", "ug": "getEnumTag",
    "up": "destructiveProjectEnumData", "ui": "destructiveInjectEnumTag",
  ]

  private mutating func valueWitness() throws(Failure) -> String {
    let code = String(decoding: [try next(), try next()], as: UTF8.self)
    guard let kind = Self.valueWitnesses[code] else { throw Failure() }
    return kind + " value witness for " + (try type())
  }

  /// A type, the protocol that it conforms to, and where that was declared.
  private mutating func conformance() throws(Failure) -> String {
    let type = try type()
    let name = try protocolName()
    return "\(type) : \(name) in \(try context().text)"
  }
}

// MARK: - Specialisations

extension OldSwiftName {
  private mutating func specialization() throws(Failure) -> String {
    let kind = try next()
    let isSerialized = skip("q")
    guard let pass = peek, RustName.isDigit(pass) else { throw Failure() }
    position += 1
    var arguments = isSerialized ? ["serialized"] : []
    let title: String
    switch kind {
    case UInt8(ascii: "g"):
      title = "generic specialization"
      arguments += try genericArguments()
    case UInt8(ascii: "r"):
      title = "generic not re-abstracted specialization"
      arguments += try genericArguments()
    case UInt8(ascii: "f"):
      title = "function signature specialization"
      arguments += try signatureArguments()
    default: throw Failure()
    }
    try expect("_T")
    return "\(title) <\(arguments.joined(separator: ", "))> of " + (try global())
  }

  private mutating func genericArguments() throws(Failure) -> [String] {
    var arguments: [String] = []
    while !skip("_") {
      var text = try type()
      var conformances: [String] = []
      while !skip("_") { conformances.append(try conformance()) }
      if !conformances.isEmpty { text += " with " + conformances.joined(separator: ", ") }
      arguments.append(text)
    }
    return arguments
  }

  private mutating func signatureArguments() throws(Failure) -> [String] {
    var arguments: [String] = []
    var index = 0
    while !skip("_") {
      if let text = try signatureArgument() { arguments.append("Arg[\(index)] = " + text) }
      index += 1
    }
    return arguments
  }

  /// Reads the change of one argument; nil where there was none.
  private mutating func signatureArgument() throws(Failure) -> String? {
    if skip("n_") { return nil }
    if skip("cl") {
      let function = nested(try identifier())
      var types: [String] = []
      while !skip("_") { types.append(try type()) }
      return "[Closure Propagated : \(function), Argument Types : [\(types.joined(separator: ", "))]"
    }
    if skip("cp") { return try constant() }
    if skip("i_") { return "Value Promoted from Box" }
    if skip("k_") { return "Stack Promoted from Box" }
    var changes: [String] = []
    if skip("d") { changes.append("Dead") }
    if skip("g") { changes.append("Owned To Guaranteed") }
    if skip("o") { changes.append("Guaranteed To Owned") }
    if skip("s") { changes.append("Exploded") }
    try expect("_")
    guard !changes.isEmpty else { throw Failure() }
    return changes.joined(separator: " and ")
  }

  private mutating func constant() throws(Failure) -> String {
    let text: String
    if skip("fr") {
      text = "Function : " + nested(try identifier())
    } else if skip("fl") {
      text = "Float : " + (try textToUnderscore())
      return "[Constant Propagated \(text)]"
    } else if skip("g") {
      text = "Global : " + (try identifier())
    } else if skip("i") {
      return "[Constant Propagated Integer : \(try textToUnderscore())]"
    } else if skip("se") {
      let encoding = try next() == UInt8(ascii: "0") ? "u8" : "u16"
      try expect("v")
      text = "String : \(encoding)'\(try identifier())'"
    } else {
      throw Failure()
    }
    try expect("_")
    return "[Constant Propagated \(text)]"
  }

  private mutating func textToUnderscore() throws(Failure) -> String {
    let start = position
    while try next() != UInt8(ascii: "_") {}
    return String(decoding: bytes[start..<position - 1], as: UTF8.self)
  }
}
