extension CxxName {
  private static func builtin(_ letter: UInt8) -> String? {
    switch Unicode.Scalar(letter) {
    case "v": "void"
    case "w": "wchar_t"
    case "b": "bool"
    case "c": "char"
    case "a": "signed char"
    case "h": "unsigned char"
    case "s": "short"
    case "t": "unsigned short"
    case "i": "int"
    case "j": "unsigned int"
    case "l": "long"
    case "m": "unsigned long"
    case "x": "long long"
    case "y": "unsigned long long"
    case "n": "__int128"
    case "o": "unsigned __int128"
    case "f": "float"
    case "d": "double"
    case "e": "long double"
    case "g": "__float128"
    case "z": "..."
    default: nil
    }
  }

  private static func extendedBuiltin(_ letter: UInt8) -> String? {
    switch Unicode.Scalar(letter) {
    case "d": "decimal64"
    case "e": "decimal128"
    case "f": "decimal32"
    case "h": "half"
    case "i": "char32_t"
    case "s": "char16_t"
    case "u": "char8_t"
    case "a": "auto"
    case "c": "decltype(auto)"
    case "n": "decltype(nullptr)"
    default: nil
    }
  }

  mutating func type() throws(Malformed) -> CxxNode.Index {
    try nested { name throws(Malformed) in try name.unguardedType() }
  }

  private mutating func unguardedType() throws(Malformed) -> CxxNode.Index {
    guard let letter = peek else { throw Malformed() }
    if let builtin = Self.builtin(letter) {
      position += 1
      return text(builtin)
    }
    switch Unicode.Scalar(letter) {
    case "r", "V", "K": return try qualifiedType()
    case "P": return try derived { .pointer($0) }
    case "R": return try derived { .reference($0, isRvalue: false) }
    case "O": return try derived { .reference($0, isRvalue: true) }
    case "C": return try derived { .suffixed($0, " _Complex") }
    case "G": return try derived { .suffixed($0, " _Imaginary") }
    case "F": return substitutable(add(.function(try functionType([]))))
    case "A": return try arrayType()
    case "M":
      position += 1
      let owner = try type()
      return substitutable(add(.memberPointer(owner, try type())))
    case "T": return try parameterType()
    case "S" where peek(1) != UInt8(ascii: "t"): return try substitutedType()
    case "D": return try extendedType()
    case "u":
      position += 1
      return substitutable(try vendorType())
    case "U": return try vendorQualified()
    default:
      return substitutable(try className())
    }
  }

  private mutating func className() throws(Malformed) -> CxxNode.Index {
    switch peek ?? 0 {
    case UInt8(ascii: "N"), UInt8(ascii: "Z"), UInt8(ascii: "S"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var state = CxxNameState()
      return try name(&state)
    default: throw Malformed()
    }
  }

  private mutating func derived(_ make: (CxxNode.Index) -> CxxNode) throws(Malformed) -> CxxNode.Index {
    position += 1
    return substitutable(add(make(try type())))
  }

  private mutating func qualifiedType() throws(Malformed) -> CxxNode.Index {
    let qualifiers = qualifiers()
    if isFunctionType { return substitutable(add(.function(try functionType(qualifiers)))) }
    return substitutable(add(.qualified(try type(), qualifiers)))
  }

  private var isFunctionType: Bool {
    isNext("F") || isNext("DoF") || isNext("DOF") || isNext("DO") || isNext("Dw") || isNext("DxF") || isNext("Do")
  }

  private mutating func functionType(_ qualifiers: CxxNode.Qualifiers) throws(Malformed) -> CxxFunction {
    var function = CxxFunction(qualifiers: qualifiers)
    if take("Do") {
      function.exceptions = " noexcept"
    } else if take("DO") {
      function.exceptions = " noexcept"
      function.exceptionOperands = [try expression()]
      try expect("E")
    } else if take("Dw") {
      while !take("E") { function.exceptionOperands.append(try type()) }
      function.exceptions = " throw"
    }
    if take("Dx") { function.exceptions += " transaction_safe" }
    try expect("F")
    _ = take("Y")
    function.result = try type()
    function.parameters = try parameters()
    if take("R") {
      function.reference = " &"
    } else if take("O") {
      function.reference = " &&"
    }
    try expect("E")
    return function
  }

  private mutating func arrayType() throws(Malformed) -> CxxNode.Index {
    try expect("A")
    var size: CxxNode.Index?
    if let digit = peek, RustName.isDigit(digit) {
      size = text(String(try decimal()))
    } else if peek != UInt8(ascii: "_") {
      size = try expression()
    }
    try expect("_")
    return substitutable(add(.array(size, try type())))
  }

  private mutating func parameterType() throws(Malformed) -> CxxNode.Index {
    for word: StaticString in ["Ts", "Tu", "Te"] where isNext(word) {
      if let digit = peek(2), RustName.isDigit(digit) || digit == UInt8(ascii: "N") {
        position += 2
        return try type()
      }
    }
    let parameter = substitutable(try templateParameter())
    guard peek == UInt8(ascii: "I"), !isConversion || isTemplateOfTemplate else { return parameter }
    return substitutable(add(.template(parameter, try templateArguments())))
  }

  /// In a conversion's type the arguments that follow a parameter may be the operator's own: then the name ends behind them.
  private var isTemplateOfTemplate: Bool {
    guard !isLookingAhead else { return true }
    var look = self
    look.isLookingAhead = true
    guard (try? look.templateArguments()) != nil else { return false }
    return look.peek == UInt8(ascii: "I")
  }

  private mutating func substitutedType() throws(Malformed) -> CxxNode.Index {
    let known = try substitution()
    guard peek == UInt8(ascii: "I") else { return known }
    return substitutable(add(.template(known, try templateArguments())))
  }

  private mutating func extendedType() throws(Malformed) -> CxxNode.Index {
    guard let letter = peek(1) else { throw Malformed() }
    if let builtin = Self.extendedBuiltin(letter) {
      position += 2
      return text(builtin)
    }
    switch Unicode.Scalar(letter) {
    case "p":
      position += 2
      return substitutable(add(.expansion(try type())))
    case "t", "T": return substitutable(try decltype())
    case "v": return try vectorType()
    case "o", "O", "w", "x": return substitutable(add(.function(try functionType([]))))
    case "F":
      position += 2
      let bits = try decimal()
      if take("b") { return text("std::bfloat\(bits)_t") }
      try expect("_")
      return text("_Float\(bits)")
    case "B", "U":
      position += 2
      let bits = try decimal()
      try expect("_")
      return text((letter == UInt8(ascii: "U") ? "unsigned " : "") + "_BitInt(\(bits))")
    default: throw Malformed()
    }
  }

  mutating func decltype() throws(Malformed) -> CxxNode.Index {
    position += 2
    let expression = try expression()
    try expect("E")
    return add(.wrapped("decltype (", expression, ")"))
  }

  private mutating func vectorType() throws(Malformed) -> CxxNode.Index {
    try expect("Dv")
    let size: CxxNode.Index
    if take("_") {
      size = try expression()
    } else {
      size = text(String(try decimal()))
    }
    try expect("_")
    return substitutable(add(.vector(size, try type())))
  }

  private mutating func vendorType() throws(Malformed) -> CxxNode.Index {
    let name = try sourceName()
    guard peek == UInt8(ascii: "I") else { return name }
    return add(.template(name, try templateArguments()))
  }

  private mutating func vendorQualified() throws(Malformed) -> CxxNode.Index {
    if isNext("Ut") || isNext("Ul") {
      var state = CxxNameState()
      return substitutable(try unqualifiedName(&state, inside: nil))
    }
    try expect("U")
    guard case .text(let word) = nodes[try sourceName()] else { throw Malformed() }
    let arguments = peek == UInt8(ascii: "I") ? try templateArguments() : nil
    let type = try type()
    guard let arguments else { return substitutable(add(.suffixed(type, " " + word))) }
    return substitutable(add(.template(add(.suffixed(type, " " + word)), arguments)))
  }
}
