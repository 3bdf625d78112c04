extension RustName {
  static func basicType(_ letter: UInt8) -> String? {
    switch Unicode.Scalar(letter) {
    case "a": "i8"
    case "b": "bool"
    case "c": "char"
    case "d": "f64"
    case "e": "str"
    case "f": "f32"
    case "h": "u8"
    case "i": "isize"
    case "j": "usize"
    case "l": "i32"
    case "m": "u32"
    case "n": "i128"
    case "o": "u128"
    case "p": "_"
    case "s": "i16"
    case "t": "u16"
    case "u": "()"
    case "v": "..."
    case "x": "i64"
    case "y": "u64"
    case "z": "!"
    default: nil
    }
  }

  mutating func type() throws(Malformed) {
    try nested { name throws(Malformed) in try name.unguardedType() }
  }

  private mutating func unguardedType() throws(Malformed) {
    let letter = try next()
    if let basic = Self.basicType(letter) { return print(basic) }
    switch Unicode.Scalar(letter) {
    case "R", "Q":
      print("&")
      if take("L") {
        let index = try base62()
        if index > 0 {
          try lifetime(index)
          print(" ")
        }
      }
      if letter == UInt8(ascii: "Q") { print("mut ") }
      try type()
    case "P":
      print("*const ")
      try type()
    case "O":
      print("*mut ")
      try type()
    case "A":
      print("[")
      try type()
      print("; ")
      try constant()
      print("]")
    case "S":
      print("[")
      try type()
      print("]")
    case "T":
      print("(")
      let count = try list { name throws(Malformed) in try name.type() }
      print(count == 1 ? ",)" : ")")
    case "F":
      try binding { name throws(Malformed) in try name.function() }
    case "D":
      try dynBounds()
    case "B":
      try backReference { name throws(Malformed) in try name.type() }
    default:
      // Not a type's letter: a path.
      position -= 1
      try path(inValue: false)
    }
  }

  private mutating func function() throws(Malformed) {
    if take("U") { print("unsafe ") }
    if take("K") {
      print("extern \"")
      if take("C") {
        print("C")
      } else {
        print(try identifier().map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 })
      }
      print("\" ")
    }
    print("fn(")
    try list { name throws(Malformed) in try name.type() }
    print(")")
    if !take("u") {
      print(" -> ")
      try type()
    }
  }
}

// MARK: - Constants

extension RustName {
  mutating func constant() throws(Malformed) {
    try nested { name throws(Malformed) in try name.unguardedConstant() }
  }

  private mutating func unguardedConstant() throws(Malformed) {
    let letter = try next()
    switch Unicode.Scalar(letter) {
    case "p": print("_")
    case "B": try backReference { name throws(Malformed) in try name.constant() }
    case "h", "t", "m", "y", "o", "j": try number()
    case "a", "s", "l", "x", "n", "i":
      if take("n") { print("-") }
      try number()
    case "b":
      switch try hexDigits() {
      case [UInt8(ascii: "0")]: print("false")
      case [UInt8(ascii: "1")]: print("true")
      default: throw Malformed()
      }
    case "c":
      guard let value = UInt32(String(decoding: try hexDigits(), as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { throw Malformed() }
      print("'" + scalar.escaped(asASCII: false) + "'")
    default: throw Malformed()
    }
  }

  private mutating func number() throws(Malformed) {
    let digits = String(decoding: try hexDigits(), as: UTF8.self)
    if let value = UInt64(digits, radix: 16) {
      print(String(value))
    } else {
      guard !digits.isEmpty else { throw Malformed() }
      print("0x" + digits)
    }
  }
}
