extension PatternParser {
  /// The meaning of `\` and the signs behind it.
  mutating func escape() throws(PatternError) -> PatternNode {
    switch ahead(1) {
    case "A": return assertion(.textStart)
    case "z": return assertion(.textEnd)
    case "b": return assertion(.wordBoundary)
    case "B": return assertion(.noWordBoundary)
    default: break
    }
    if let set = try namedClass() { return .scalar(set) }
    return literal(try escapedScalar())
  }

  private mutating func assertion(_ assertion: PatternNode.Assertion) -> PatternNode {
    place += 2
    return .assertion(assertion)
  }

  /// The class of `\d`, `\pL`, `\P{Han}` and the like; nil where no class stands there.
  private mutating func namedClass() throws(PatternError) -> ScalarSet? {
    let (set, isInverted): (ScalarSet, Bool)
    switch ahead(1) {
    case "d": (set, isInverted) = (.digits, false)
    case "D": (set, isInverted) = (.digits, true)
    case "w": (set, isInverted) = (.words, false)
    case "W": (set, isInverted) = (.words, true)
    case "s": (set, isInverted) = (.spaces, false)
    case "S": (set, isInverted) = (.spaces, true)
    case "p", "P": return try unicodeClass()
    default: return nil
    }
    place += 2
    return oriented(folded(set), isInverted)
  }

  private func oriented(_ set: ScalarSet, _ isInverted: Bool) -> ScalarSet { isInverted ? set.inverted : set }

  private mutating func unicodeClass() throws(PatternError) -> ScalarSet {
    let start = place
    var isInverted = ahead(1) == "P"
    place += 2
    var name = ""
    if take("{") {
      if take("^") { isInverted.toggle() }
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        place += 1
      }
      guard take("}") else { throw error(.badClass, at: start) }
    } else if let scalar = next {
      name.unicodeScalars.append(scalar)
      place += 1
    }
    guard let set = NamedClass.unicode(name) else { throw error(.badClass, at: start) }
    return oriented(folded(set), isInverted)
  }

  /// The scalar that an escape stands for.
  private mutating func escapedScalar() throws(PatternError) -> UInt32 {
    let start = place
    guard let scalar = ahead(1) else { throw error(.badEscape, at: start) }
    place += 2
    switch scalar {
    case "a": return 0x07
    case "f": return 0x0c
    case "n": return 0x0a
    case "r": return 0x0d
    case "t": return 0x09
    case "v": return 0x0b
    case "x": return try hexadecimal(from: start)
    case "0": return octal(first: 0)
    case "1"..."7":
      // A digit alone refers back to a group.
      guard let following = next, ("0"..."7").contains(following) else { throw error(.notRegular, at: start) }
      return octal(first: scalar.value - 0x30)
    case "8", "9", "k": throw error(.notRegular, at: start)
    default:
      guard scalar.isASCII, scalar == "_" || !ScalarSet.words.contains(scalar.value) else {
        throw error(.badEscape, at: start)
      }
      return scalar.value
    }
  }

  private mutating func octal(first: UInt32) -> UInt32 {
    var value = first
    for _ in 0..<2 {
      guard let digit = next, ("0"..."7").contains(digit) else { break }
      value = value * 8 + digit.value - 0x30
      place += 1
    }
    return value
  }

  private mutating func hexadecimal(from start: Int) throws(PatternError) -> UInt32 {
    let isBraced = take("{")
    var (value, count): (UInt32, Int) = (0, 0)
    while isBraced ? next != "}" : count < 2 {
      guard let digit = next.flatMap({ Character($0).hexDigitValue }), next?.isASCII == true else {
        throw error(.badEscape, at: start)
      }
      value = value * 16 + UInt32(digit)
      guard value <= ScalarSet.last else { throw error(.badEscape, at: start) }
      count += 1
      place += 1
    }
    guard count > 0, !isBraced || take("}") else { throw error(.badEscape, at: start) }
    return value
  }

  // MARK: - Brackets

  /// The set of `[…]`.
  mutating func bracketed() throws(PatternError) -> ScalarSet {
    let start = place
    place += 1
    let isInverted = take("^")
    var set = ScalarSet()
    var isFirst = true
    while true {
      guard let scalar = next else { throw error(.missingBracket, at: start) }
      if scalar == "]", !isFirst { break }
      isFirst = false
      if scalar == "[", ahead(1) == ":", let named = try posixClass() {
        set.formUnion(named)
      } else if scalar == "\\", let named = try namedClass() {
        set.formUnion(named)
      } else {
        set.formUnion(folded(ScalarSet([try range(from: start)])))
      }
    }
    place += 1
    return oriented(set, isInverted)
  }

  /// The class of `[:name:]`; nil where nothing ends it, so that the bracket stands for itself.
  private mutating func posixClass() throws(PatternError) -> ScalarSet? {
    var end = place + 2
    while end + 1 < scalars.count, !(scalars[end] == ":" && scalars[end + 1] == "]") { end += 1 }
    guard end + 1 < scalars.count else { return nil }
    var name = String(String.UnicodeScalarView(scalars[(place + 2)..<end]))
    let isInverted = name.first == "^"
    if isInverted { name.removeFirst() }
    guard let set = NamedClass.posix(name) else { throw error(.badClass) }
    place = end + 2
    return oriented(folded(set), isInverted)
  }

  private mutating func range(from start: Int) throws(PatternError) -> ClosedRange<UInt32> {
    let low = try bracketedScalar(from: start)
    guard next == "-", let after = ahead(1), after != "]" else { return low...low }
    let dash = place
    place += 1
    let high = try bracketedScalar(from: start)
    guard low <= high else { throw error(.badRange, at: dash) }
    return low...high
  }

  private mutating func bracketedScalar(from start: Int) throws(PatternError) -> UInt32 {
    guard let scalar = next else { throw error(.missingBracket, at: start) }
    if scalar == "\\" { return try escapedScalar() }
    place += 1
    return scalar.value
  }
}
