extension OldSwiftName {
  /// More parameters than these are only hinted at.
  private static let mostParameters = 128

  /// Generic parameters by level, and what they must be: `<A, B where A: P>`.
  mutating func genericSignature() throws(Failure) -> String {
    var counts: [Int] = []
    while peek != UInt8(ascii: "R"), peek != UInt8(ascii: "r") {
      counts.append(skip("z") ? 0 : try index() + 1)
      guard counts.count <= Self.mostParameters else { throw Failure() }
    }
    if counts.isEmpty { counts = [1] }
    var requirements: [String] = []
    if skip("R") {
      while !skip("r") { requirements.append(try requirement()) }
    } else {
      try expect("r")
    }
    var text = ""
    for (level, count) in counts.enumerated() {
      var names = (0..<min(count, Self.mostParameters)).map { Self.parameter(level, $0) }
      if count > Self.mostParameters { names.append("...") }
      text += "<" + names.joined(separator: ", ")
      if level == counts.count - 1, !requirements.isEmpty { text += " where " + requirements.joined(separator: ", ") }
      text += ">"
    }
    return try bounded(text)
  }

  private static func parameter(_ level: Int, _ index: Int) -> String {
    var name = ""
    var rest = index
    repeat {
      name.unicodeScalars.append(Unicode.Scalar(UInt8(65 + rest % 26)))
      rest /= 26
    } while rest > 0
    return level == 0 ? name : name + String(level)
  }

  private mutating func requirement() throws(Failure) -> String {
    let subject: String
    if peek == UInt8(ascii: "w") || peek == UInt8(ascii: "W") {
      subject = try dependentType()
    } else {
      subject = try parameterByIndex()
    }
    if skip("z") { return "\(subject) == \(try type())" }
    if skip("l") { return "\(subject): \(try layout())" }
    if peek == UInt8(ascii: "C") { return "\(subject): \(try nominalType().text)" }
    return "\(subject): \(try protocolName())"
  }

  private mutating func layout() throws(Failure) -> String {
    switch try next() {
    case UInt8(ascii: "U"): return "_UnknownLayout"
    case UInt8(ascii: "R"): return "_RefCountedObject"
    case UInt8(ascii: "N"): return "_NativeRefCountedObject"
    case UInt8(ascii: "C"): return "AnyObject"
    case UInt8(ascii: "D"): return "_NativeClass"
    case UInt8(ascii: "T"): return "_Trivial"
    case UInt8(ascii: "e"): return "_Trivial(\(try number()))"
    case UInt8(ascii: "m"): return "_TrivialAtMost(\(try number()))"
    case UInt8(ascii: "E"): return "_Trivial(\(try sizes()))"
    case UInt8(ascii: "M"): return "_TrivialAtMost(\(try sizes()))"
    default: throw Failure()
    }
  }

  private mutating func sizes() throws(Failure) -> String {
    let size = try number()
    try expect("_")
    return "\(size), \(try number())"
  }

  /// A generic parameter: `x` is the first, `d` goes before one of an inner level.
  private mutating func parameterByIndex() throws(Failure) -> String {
    if skip("x") { return Self.parameter(0, 0) }
    if skip("d") {
      let level = try index() + 1
      return Self.parameter(level, try index())
    }
    return Self.parameter(0, try index() + 1)
  }

  /// A generic parameter or a type that one has by a protocol.
  mutating func dependentType() throws(Failure) -> String {
    if skip("q") { return try parameterByIndex() }
    if skip("w") {
      let base = try parameterByIndex()
      return try bounded(base + "." + (try associatedType()))
    }
    if skip("W") {
      var text = try parameterByIndex()
      while !skip("_") { text = try bounded(text + "." + (try associatedType())) }
      return text
    }
    return try parameterByIndex()
  }

  private mutating func associatedType() throws(Failure) -> String {
    if peek == UInt8(ascii: "S") { return try substitution().text }
    let owner = skip("P") ? try protocolName() + "." : ""
    let name = try identifier()
    substitutions.append(Context(text: owner + name, ownName: name))
    return owner + name
  }
}
