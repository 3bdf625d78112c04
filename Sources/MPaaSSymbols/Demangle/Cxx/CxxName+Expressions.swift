extension CxxName {
  /// An expression in a template argument, an array's size or a `decltype`.
  mutating func expression() throws(Malformed) -> CxxNode.Index {
    try nested { name throws(Malformed) in try name.unguardedExpression() }
  }

  private mutating func unguardedExpression() throws(Malformed) -> CxxNode.Index {
    switch peek {
    case UInt8(ascii: "L"): return try literal()
    case UInt8(ascii: "T"): return try templateParameter()
    default: break
    }
    if isNext("fp") || (isNext("fL") && peek(2).map(RustName.isDigit) == true) { return try functionParameter() }
    if take("gs") { return try global() }
    if isNext("sr") || isNext("on") || isNext("dn") { return try unresolvedName() }
    if let digit = peek, RustName.isDigit(digit) { return try unresolvedName() }
    if take("il") { return add(.initializer(nil, try expressions())) }
    if take("tl") {
      let type = try type()
      return add(.initializer(type, try expressions()))
    }
    if take("cv") { return try conversion() }
    if let found = try query() { return found }
    if let fold = try fold() { return fold }
    return try operation()
  }

  private mutating func expressions() throws(Malformed) -> [CxxNode.Index] {
    var list: [CxxNode.Index] = []
    while !take("E") { list.append(try expression()) }
    return list
  }

  private mutating func functionParameter() throws(Malformed) -> CxxNode.Index {
    if take("fpT") { return text("this") }
    if take("fL") {
      _ = try decimal()
      try expect("p")
    } else {
      try expect("fp")
    }
    _ = qualifiers()
    return text("{parm#\(try sequenceNumber() + 1)}")
  }

  private mutating func global() throws(Malformed) -> CxxNode.Index {
    if isNext("nw") || isNext("na") { return try new(prefix: "::") }
    if take("dl") { return add(.unary("::delete ", try expression(), .plain)) }
    if take("da") { return add(.unary("::delete[] ", try expression(), .plain)) }
    return add(.unary("::", try expression(), .global))
  }

  private mutating func conversion() throws(Malformed) -> CxxNode.Index {
    let saved = isConversion
    isConversion = false
    let type = try type()
    isConversion = saved
    if take("_") { return add(.conversionExpression(type, try expressions())) }
    return add(.conversionExpression(type, [try expression()]))
  }

  /// `sizeof` and its kin; nil where none stands here.
  private mutating func query() throws(Malformed) -> CxxNode.Index? {
    if take("st") { return add(.unary("sizeof ", try type(), .parenthesised)) }
    if take("sz") { return add(.unary("sizeof ", try expression(), .plain)) }
    if take("at") { return add(.unary("alignof ", try type(), .plain)) }
    if take("az") { return add(.unary("alignof ", try expression(), .plain)) }
    if take("nx") { return add(.unary("noexcept", try expression(), .parenthesised)) }
    if take("ti") { return add(.unary("typeid ", try type(), .plain)) }
    if take("te") { return add(.unary("typeid ", try expression(), .plain)) }
    if take("sZ") { return add(.packSize([try expression()])) }
    if take("sP") {
      var arguments: [CxxNode.Index] = []
      while !take("E") { arguments.append(try templateArgument()) }
      return add(.packSize(arguments))
    }
    if take("sp") { return add(.expansion(try expression())) }
    if take("tw") { return add(.unary("throw ", try expression(), .plain)) }
    if take("tr") { return add(.wrapped("throw", text(""), "")) }
    if isNext("nw") || isNext("na") { return try new(prefix: "") }
    if take("dl") { return add(.unary("delete ", try expression(), .plain)) }
    if take("da") { return add(.unary("delete[] ", try expression(), .plain)) }
    return nil
  }

  private mutating func new(prefix: String) throws(Malformed) -> CxxNode.Index {
    if !take("na") { try expect("nw") }
    var placement: [CxxNode.Index] = []
    while !take("_") { placement.append(try expression()) }
    let type = try type()
    var arguments: [CxxNode.Index]?
    if take("pi") {
      arguments = try expressions()
    } else if isNext("il") {
      arguments = [try expression()]
    } else {
      try expect("E")
    }
    return add(
      .new(placement: placement, type: type, arguments: arguments, prefix: prefix + "new "))
  }

  private mutating func fold() throws(Malformed) -> CxxNode.Index? {
    guard peek == UInt8(ascii: "f"), let kind = peek(1), [UInt8](Array("lrLR".utf8)).contains(kind),
      let code = CxxOperator.at(input, position + 2)
    else { return nil }
    position += 4
    let first = try expression()
    let isBinary = kind == UInt8(ascii: "L") || kind == UInt8(ascii: "R")
    let second = isBinary ? try expression() : nil
    return add(.fold(Character(UnicodeScalar(kind)), code.symbol, first, second))
  }

  private mutating func operation() throws(Malformed) -> CxxNode.Index {
    guard let code = CxxOperator.at(input, position) else { throw Malformed() }
    position += 2
    switch code.shape {
    case .unary: return add(.unary(code.symbol, try expression(), .plain))
    case .postfix:
      let isPrefix = take("_")
      return add(.unary(code.symbol, try expression(), isPrefix ? .plain : .postfix))
    case .binary where code.symbol == "." || code.symbol == "->":
      let object = try expression()
      return add(.binary(code.symbol, object, try memberName()))
    case .binary:
      let left = try expression()
      return add(.binary(code.symbol, left, try expression()))
    case .call:
      let callee = try expression()
      return add(.call(callee, try expressions()))
    case .subscripted:
      let array = try expression()
      return add(.subscripted(array, try expression()))
    case .conditional:
      let condition = try expression()
      let first = try expression()
      return add(.conditional(condition, first, try expression()))
    case .cast:
      let type = try type()
      return add(.cast(code.symbol, type, try expression()))
    case .other: throw Malformed()
    }
  }

  private mutating func memberName() throws(Malformed) -> CxxNode.Index {
    if let digit = peek, RustName.isDigit(digit) { return try simpleName() }
    if isNext("sr") { return try unresolvedName() }
    let isOperator = CxxOperator.at(input, position) != nil && !isNext("cl")
    return try isOperator || isNext("on") || isNext("dn") ? baseName() : expression()
  }

  // MARK: Unresolved names

  /// A name whose meaning depends on template arguments: `T::value`, `operator+`, `f<int>`.
  private mutating func unresolvedName() throws(Malformed) -> CxxNode.Index {
    if take("srN") {
      var scope = try unresolvedType()
      while !take("E") { scope = add(.nested(scope, try simpleName())) }
      return add(.nested(scope, try baseName()))
    }
    guard take("sr") else { return try baseName() }
    if let digit = peek, RustName.isDigit(digit) {
      // Old compilers write one type here, new ones a list of names up to E.
      if let list = qualifierList() { return add(.nested(list, try baseName())) }
    }
    return add(.nested(try unresolvedType(), try baseName()))
  }

  private mutating func qualifierList() -> CxxNode.Index? {
    let saved = self
    if var scope = try? simpleName() {
      while let digit = peek, RustName.isDigit(digit), let next = try? simpleName() {
        scope = add(.nested(scope, next))
      }
      if take("E") { return scope }
    }
    self = saved
    return nil
  }

  private mutating func unresolvedType() throws(Malformed) -> CxxNode.Index {
    try type()
  }

  private mutating func baseName() throws(Malformed) -> CxxNode.Index {
    if take("dn") {
      let type = peek.map(RustName.isDigit) == true ? try simpleName() : try type()
      return add(.wrapped("~", type, ""))
    }
    _ = take("on")
    if let digit = peek, RustName.isDigit(digit) { return try simpleName() }
    var state = CxxNameState()
    let entity = try unqualifiedName(&state, inside: nil)
    guard peek == UInt8(ascii: "I") else { return entity }
    return add(.template(entity, try templateArguments()))
  }

  private mutating func simpleName() throws(Malformed) -> CxxNode.Index {
    var state = CxxNameState()
    let name = try unqualifiedName(&state, inside: nil)
    guard peek == UInt8(ascii: "I") else { return name }
    return add(.template(name, try templateArguments()))
  }

  // MARK: Literals

  /// A value between `L` and `E`: a number of a type, or an entity.
  mutating func literal() throws(Malformed) -> CxxNode.Index {
    try expect("L")
    if take("_Z") || take("Z") {
      let entity = try encoding(isTop: false)
      try expect("E")
      return entity
    }
    let type = try type()
    if take("E") { return type }
    let start = position
    while let byte = peek, byte != UInt8(ascii: "E") {
      guard Self.isLetter(byte) || RustName.isDigit(byte) || byte == UInt8(ascii: "_") else { throw Malformed() }
      position += 1
    }
    let value = String(decoding: input[start..<position], as: UTF8.self)
    try expect("E")
    return add(.literal(type, value))
  }
}
