extension RustName {
  /// A path; generic arguments are written `::<…>` in values and `<…>` in types.
  mutating func path(inValue: Bool) throws(Malformed) {
    try nested { name throws(Malformed) in try name.unguardedPath(inValue: inValue) }
  }

  private mutating func unguardedPath(inValue: Bool) throws(Malformed) {
    switch try next() {
    case UInt8(ascii: "C"):
      _ = try optional("s")
      print(try identifier())
    case UInt8(ascii: "M"):
      try implementation()
      print("<")
      try type()
      print(">")
    case UInt8(ascii: "X"):
      try implementation()
      try qualified()
    case UInt8(ascii: "Y"):
      try qualified()
    case UInt8(ascii: "N"):
      try member(inValue: inValue)
    case UInt8(ascii: "I"):
      try path(inValue: inValue)
      print(inValue ? "::<" : "<")
      try list { name throws(Malformed) in try name.genericArgument() }
      print(">")
    case UInt8(ascii: "B"):
      try backReference { name throws(Malformed) in try name.path(inValue: inValue) }
    default:
      throw Malformed()
    }
  }

  /// Reads the place of an `impl`, which is not printed.
  private mutating func implementation() throws(Malformed) {
    _ = try optional("s")
    try silently { name throws(Malformed) in try name.path(inValue: false) }
  }

  private mutating func qualified() throws(Malformed) {
    print("<")
    try type()
    print(" as ")
    try path(inValue: false)
    print(">")
  }

  private mutating func member(inValue: Bool) throws(Malformed) {
    let space = try next()
    guard Self.isUpper(space) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(space) else { throw Malformed() }
    try path(inValue: inValue)
    let disambiguator = try optional("s")
    let own = try identifier()
    guard Self.isUpper(space) else {
      if !own.isEmpty {
        print("::")
        print(own)
      }
      return
    }
    switch space {
    case UInt8(ascii: "C"): print("::{closure")
    case UInt8(ascii: "S"): print("::{shim")
    default: print("::{" + String(UnicodeScalar(space)))
    }
    if !own.isEmpty {
      print(":")
      print(own)
    }
    print("#\(disambiguator)}")
  }

  private mutating func genericArgument() throws(Malformed) {
    if take("L") {
      try lifetime(try base62())
    } else if take("K") {
      try constant()
    } else {
      try type()
    }
  }

  mutating func dynBounds() throws(Malformed) {
    print("dyn ")
    try binding { name throws(Malformed) in
      var isFirst = true
      while !name.take("E") {
        if !isFirst { name.print(" + ") }
        isFirst = false
        try name.dynTrait()
      }
    }
    guard take("L") else { throw Malformed() }
    let index = try base62()
    if index > 0 {
      print(" + ")
      try lifetime(index)
    }
  }

  /// A trait with its bound associated types inside the same angle brackets as its arguments.
  private mutating func dynTrait() throws(Malformed) {
    var isOpen = try openPath()
    while take("p") {
      print(isOpen ? ", " : "<")
      isOpen = true
      print(try identifier())
      print(" = ")
      try type()
    }
    if isOpen { print(">") }
  }

  /// A path whose generic arguments are left open; tells whether there were any.
  private mutating func openPath() throws(Malformed) -> Bool {
    if take("B") {
      var isOpen = false
      try backReference { name throws(Malformed) in
        try name.nested { name throws(Malformed) in isOpen = try name.openPath() }
      }
      return isOpen
    }
    guard take("I") else {
      try path(inValue: false)
      return false
    }
    try path(inValue: false)
    print("<")
    try list { name throws(Malformed) in try name.genericArgument() }
    return true
  }
}
