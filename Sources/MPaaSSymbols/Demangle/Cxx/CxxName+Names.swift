extension CxxName {
  /// The name of an entity: nested, local or unscoped, with its template arguments.
  mutating func name(_ state: inout CxxNameState) throws(Malformed) -> CxxNode.Index {
    switch peek {
    case UInt8(ascii: "N"): return try nestedName(&state)
    case UInt8(ascii: "Z"): return try localName(&state)
    case UInt8(ascii: "S") where peek(1) != UInt8(ascii: "t"):
      let template = try substitution()
      guard peek == UInt8(ascii: "I") else { throw Malformed() }
      state.endsWithArguments = true
      return add(.template(template, try templateArguments()))
    default:
      var entity = try unscopedName(&state)
      guard peek == UInt8(ascii: "I") else { return entity }
      entity = substitutable(entity)
      state.endsWithArguments = true
      return add(.template(entity, try templateArguments()))
    }
  }

  private mutating func unscopedName(_ state: inout CxxNameState) throws(Malformed) -> CxxNode.Index {
    guard take("St") else { return try unqualifiedName(&state, inside: nil) }
    let std = text("std")
    return add(.nested(std, try unqualifiedName(&state, inside: std)))
  }

  private mutating func nestedName(_ state: inout CxxNameState) throws(Malformed) -> CxxNode.Index {
    try expect("N")
    state.qualifiers = qualifiers()
    if take("O") {
      state.reference = " &&"
    } else if take("R") {
      state.reference = " &"
    }
    var prefix: CxxNode.Index?
    while !take("E") {
      let isLast: Bool
      (prefix, isLast) = try nestedPart(prefix, &state)
      if !isLast, peek != UInt8(ascii: "E"), let prefix { _ = substitutable(prefix) }
    }
    guard let prefix else { throw Malformed() }
    return prefix
  }

  /// The next part of a nested name; whether it is to stay out of the substitutions.
  private mutating func nestedPart(
    _ prefix: CxxNode.Index?, _ state: inout CxxNameState
  ) throws(Malformed) -> (CxxNode.Index, Bool) {
    state.endsWithArguments = false
    switch peek {
    case UInt8(ascii: "S") where peek(1) == UInt8(ascii: "t"):
      guard prefix == nil else { throw Malformed() }
      position += 2
      return (text("std"), true)
    case UInt8(ascii: "S"):
      guard prefix == nil else { throw Malformed() }
      return (try substitution(), true)
    case UInt8(ascii: "T"):
      guard prefix == nil else { throw Malformed() }
      return (try templateParameter(), false)
    case UInt8(ascii: "I"):
      guard let prefix else { throw Malformed() }
      state.endsWithArguments = true
      return (add(.template(prefix, try templateArguments())), false)
    case UInt8(ascii: "D") where peek(1) == UInt8(ascii: "t") || peek(1) == UInt8(ascii: "T"):
      guard prefix == nil else { throw Malformed() }
      return (try decltype(), false)
    case UInt8(ascii: "M"):
      // The closure stands in the initialiser of the member before it.
      guard let prefix else { throw Malformed() }
      position += 1
      return (prefix, true)
    default:
      let part = try unqualifiedName(&state, inside: prefix)
      return (prefix.map { add(.nested($0, part)) } ?? part, false)
    }
  }

  private mutating func localName(_ state: inout CxxNameState) throws(Malformed) -> CxxNode.Index {
    try expect("Z")
    let function = try encoding(isTop: false)
    try expect("E")
    if take("s") {
      discriminator()
      return add(.local(function, text("string literal")))
    }
    var argument: Int?
    if take("d") { argument = try sequenceNumber() }
    var inner = CxxNameState()
    var entity = try name(&inner)
    if let argument { entity = add(.nested(text("{default arg#\(argument + 1)}"), entity)) }
    state = inner
    discriminator()
    return add(.local(function, entity))
  }

  private mutating func discriminator() {
    guard peek == UInt8(ascii: "_") else { return }
    if peek(1) == UInt8(ascii: "_") {
      let start = position
      position += 2
      guard (try? decimal()) != nil, take("_") else {
        position = start
        return
      }
    } else if let digit = peek(1), RustName.isDigit(digit) {
      position += 1
      _ = try? decimal()
    }
  }

  // MARK: Unqualified names

  mutating func unqualifiedName(
    _ state: inout CxxNameState, inside prefix: CxxNode.Index?
  ) throws(Malformed) -> CxxNode.Index {
    state.hasNoResult = false
    let isLocalToFile = take("L")
    var entity: CxxNode.Index
    switch peek ?? 0 {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): entity = try sourceName()
    case UInt8(ascii: "U"): entity = try unnamed()
    case UInt8(ascii: "C"), UInt8(ascii: "D"):
      if take("DC") {
        entity = try structuredBinding()
      } else {
        guard let prefix else { throw Malformed() }
        entity = try constructor(&state, prefix)
      }
    default: entity = try operatorName(&state)
    }
    while take("B") { entity = add(.tagged(entity, try identifier())) }
    if isLocalToFile { discriminator() }
    return entity
  }

  private mutating func identifier() throws(Malformed) -> String {
    let length = try decimal()
    guard length > 0, length <= input.count - position else { throw Malformed() }
    defer { position += length }
    return String(decoding: input[position..<position + length], as: UTF8.self)
  }

  mutating func sourceName() throws(Malformed) -> CxxNode.Index {
    let name = try identifier()
    return text(name.hasPrefix("_GLOBAL__N") || name.hasPrefix("_GLOBAL_.N") ? "(anonymous namespace)" : name)
  }

  private mutating func structuredBinding() throws(Malformed) -> CxxNode.Index {
    var names: [CxxNode.Index] = []
    while !take("E") { names.append(try sourceName()) }
    guard !names.isEmpty else { throw Malformed() }
    return add(.binding(names))
  }

  private mutating func unnamed() throws(Malformed) -> CxxNode.Index {
    if take("Ut") { return add(.unnamedType(try sequenceNumber())) }
    try expect("Ul")
    let parameters = try self.parameters()
    try expect("E")
    return add(.lambda(parameters, try sequenceNumber()))
  }

  private mutating func constructor(
    _ state: inout CxxNameState, _ prefix: CxxNode.Index
  ) throws(Malformed) -> CxxNode.Index {
    state.hasNoResult = true
    let isDestructor = try next() == UInt8(ascii: "D")
    let isInheriting = !isDestructor && take("I")
    guard let kind = peek, (UInt8(ascii: "0")...UInt8(ascii: "5")).contains(kind) else { throw Malformed() }
    position += 1
    if isInheriting { return add(.constructor(try type(), isDestructor: false)) }
    return add(.constructor(prefix, isDestructor: isDestructor))
  }

  private mutating func operatorName(_ state: inout CxxNameState) throws(Malformed) -> CxxNode.Index {
    if take("cv") {
      state.hasNoResult = true
      let saved = isConversion
      isConversion = true
      defer { isConversion = saved }
      return add(.conversion(try type()))
    }
    if take("li") { return add(.operatorName("\"\" " + (try identifier()))) }
    if peek == UInt8(ascii: "v"), let digit = peek(1), RustName.isDigit(digit) {
      position += 2
      return add(.operatorName(" " + (try identifier())))
    }
    guard let code = CxxOperator.at(input, position) else { throw Malformed() }
    position += 2
    return add(.operatorName(code.symbol))
  }

  // MARK: Substitutions

  private static let standard: [UInt8: (plain: String, whole: String, base: String)] = [
    UInt8(ascii: "a"): ("std::allocator", "std::allocator", "allocator"),
    UInt8(ascii: "b"): ("std::basic_string", "std::basic_string", "basic_string"),
    UInt8(ascii: "s"): (
      "std::string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "basic_string"
    ),
    UInt8(ascii: "i"): ("std::istream", "std::basic_istream<char, std::char_traits<char> >", "basic_istream"),
    UInt8(ascii: "o"): ("std::ostream", "std::basic_ostream<char, std::char_traits<char> >", "basic_ostream"),
    UInt8(ascii: "d"): ("std::iostream", "std::basic_iostream<char, std::char_traits<char> >", "basic_iostream"),
  ]

  /// `S…_`, or one of the standard library's own; `St` is read elsewhere.
  mutating func substitution() throws(Malformed) -> CxxNode.Index {
    try expect("S")
    if let letter = peek, let known = Self.standard[letter] {
      position += 1
      // Before a constructor the class is written out.
      let isConstructed =
        (peek == UInt8(ascii: "C") || peek == UInt8(ascii: "D")) && peek(1).map(RustName.isDigit) == true
      var node = text(isConstructed ? known.whole : known.plain)
      while take("B") { node = substitutable(add(.tagged(node, try identifier()))) }
      return node
    }
    let number = try seqID()
    guard number < substitutions.count else { throw Malformed() }
    return substitutions[number]
  }

  // MARK: Templates

  /// Arguments between `I` and `E`.
  mutating func templateArguments() throws(Malformed) -> [CxxNode.Index] {
    try expect("I")
    var arguments: [CxxNode.Index] = []
    while !take("E") { arguments.append(try templateArgument()) }
    return arguments
  }

  mutating func templateArgument() throws(Malformed) -> CxxNode.Index {
    try nested { name throws(Malformed) in
      switch name.peek {
      case UInt8(ascii: "X"):
        name.position += 1
        let expression = try name.expression()
        try name.expect("E")
        return expression
      case UInt8(ascii: "L"): return try name.literal()
      case UInt8(ascii: "J"), UInt8(ascii: "I"):
        name.position += 1
        var elements: [CxxNode.Index] = []
        while !name.take("E") { elements.append(try name.templateArgument()) }
        return name.add(.pack(elements))
      default: return try name.type()
      }
    }
  }

  mutating func templateParameter() throws(Malformed) -> CxxNode.Index {
    try expect("T")
    return add(.parameter(try sequenceNumber()))
  }

  mutating func qualifiers() -> CxxNode.Qualifiers {
    var qualifiers: CxxNode.Qualifiers = []
    if take("r") { qualifiers.insert(.restrict) }
    if take("V") { qualifiers.insert(.volatile) }
    if take("K") { qualifiers.insert(.const) }
    return qualifiers
  }
}
