/// The state of a name besides its words: needed to read what follows it.
struct CxxNameState {
  /// The name ends in template arguments, so that the function's type begins with its result.
  var endsWithArguments = false
  /// Constructors, destructors and conversions have no result.
  var hasNoResult = false
  var qualifiers: CxxNode.Qualifiers = []
  var reference = ""
}

extension CxxName {
  /// A function with its type, a variable, or one of the special names.
  mutating func encoding(isTop: Bool) throws(Malformed) -> CxxNode.Index {
    try nested { name throws(Malformed) in try name.unguardedEncoding(isTop: isTop) }
  }

  private mutating func unguardedEncoding(isTop: Bool) throws(Malformed) -> CxxNode.Index {
    if peek == UInt8(ascii: "T") || (peek == UInt8(ascii: "G") && peek(1) != UInt8(ascii: "_")) {
      return try specialName()
    }
    var state = CxxNameState()
    let entity = try name(&state)
    guard !isAtEncodingEnd else { return entity }
    var function = CxxFunction(qualifiers: state.qualifiers, reference: state.reference)
    // Java's compiler marks a result where there would be none.
    if take("J") || (state.endsWithArguments && !state.hasNoResult) {
      let result = try type()
      // Inside another name the result is left out.
      if isTop { function.result = result }
    }
    function.parameters = try parameters()
    return add(.encoding(entity, function))
  }

  private var isAtEncodingEnd: Bool {
    switch peek {
    case nil, UInt8(ascii: "E"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Types up to the end; `v` alone is none.
  mutating func parameters() throws(Malformed) -> [CxxNode.Index] {
    if peek == UInt8(ascii: "v") {
      switch peek(1) {
      case nil, UInt8(ascii: "E"), UInt8(ascii: "."), UInt8(ascii: "_"):
        position += 1
        return []
      case UInt8(ascii: "R"), UInt8(ascii: "O"):
        // The reference belongs to the function.
        if peek(2) == UInt8(ascii: "E") {
          position += 1
          return []
        }
      default: break
      }
    }
    var parameters: [CxxNode.Index] = []
    while !isAtEncodingEnd {
      if isNext("RE") || isNext("OE") { break }
      parameters.append(try type())
    }
    guard !parameters.isEmpty else { throw Malformed() }
    return parameters
  }

  // MARK: Special names

  private static let tables: [(StaticString, String)] = [
    ("TV", "vtable for "), ("TT", "VTT for "), ("TI", "typeinfo for "), ("TS", "typeinfo name for "),
    ("TF", "typeinfo fn for "), ("TJ", "java Class for "),
  ]
  private static let objects: [(StaticString, String)] = [
    ("TH", "TLS init function for "), ("TW", "TLS wrapper function for "), ("GV", "guard variable for "),
  ]
  private static let functions: [(StaticString, String)] = [
    ("GTt", "transaction clone for "), ("GTn", "non-transaction clone for "), ("GA", "hidden alias for "),
  ]

  private mutating func specialName() throws(Malformed) -> CxxNode.Index {
    for (code, words) in Self.tables where take(code) { return add(.wrapped(words, try type(), "")) }
    for (code, words) in Self.objects where take(code) {
      var state = CxxNameState()
      return add(.wrapped(words, try name(&state), ""))
    }
    for (code, words) in Self.functions where take(code) {
      return add(.wrapped(words, try encoding(isTop: false), ""))
    }
    if take("TA") { return add(.wrapped("template parameter object for ", try templateArgument(), "")) }
    if take("TC") { return try constructionTable() }
    if take("Tc") {
      try callOffset()
      try callOffset()
      return add(.wrapped("covariant return thunk to ", try encoding(isTop: false), ""))
    }
    if take("GR") {
      var state = CxxNameState()
      let entity = try name(&state)
      let number = peek == nil ? 0 : try seqID()
      return add(.wrapped("reference temporary #\(number) for ", entity, ""))
    }
    if take("T") {
      let isVirtual = peek == UInt8(ascii: "v")
      try callOffset()
      let words = isVirtual ? "virtual thunk to " : "non-virtual thunk to "
      return add(.wrapped(words, try encoding(isTop: false), ""))
    }
    throw Malformed()
  }

  private mutating func constructionTable() throws(Malformed) -> CxxNode.Index {
    let derived = try type()
    _ = try decimal()
    try expect("_")
    return add(.construction(try type(), derived))
  }

  private mutating func callOffset() throws(Malformed) {
    if take("h") {
      try signedNumber()
    } else {
      try expect("v")
      try signedNumber()
      try expect("_")
      try signedNumber()
    }
    try expect("_")
  }

  private mutating func signedNumber() throws(Malformed) {
    _ = take("n")
    _ = try decimal()
  }
}
