/// A type as far as it decides which literals are keys.
indirect enum SwiftType: Sendable, Hashable {
  /// By its last name: `LocalizationValue` for `String.LocalizationValue`.
  case named(String)
  case list(SwiftType)
  /// By the type of its values.
  case dictionary(SwiftType)
  /// By what it gives back.
  case function(SwiftType)
  case other

  /// Tells whether a string literal of this type is a key.
  var isKey: Bool {
    guard case .named(let name) = self else { return false }
    return Self.keys.contains(name)
  }

  /// Tells whether a literal somewhere in a value of this type may be a key: itself, or one of a type with such
  /// initializers.
  func mayHoldKey(_ isMadeOfKeys: (String) -> Bool) -> Bool {
    switch self {
    case .named(let name): isKey || name == "Text" || isMadeOfKeys(name)
    case .list(let inner), .dictionary(let inner), .function(let inner): inner.mayHoldKey(isMadeOfKeys)
    case .other: false
    }
  }

  var isString: Bool { self == .named("String") }

  private static let keys: Set = [
    "LocalizedStringKey", "LocalizedStringResource", "LocalizationValue", "IntentDialog", "IntentDescription",
    "TypeDisplayRepresentation", "DisplayRepresentation",
  ]
}

extension SwiftTokens {
  /// Words that stand before a type and say nothing about literals.
  private static let attributes: Set = [
    "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "repeat",
  ]

  /// The type that is written at an index, which moves behind it.
  func type(at index: inout Int, depth: Int = 0) -> SwiftType {
    guard depth < 32, index < count else { return .other }
    while index < count {
      if isToken(index, "@") {
        index += 2
        if isToken(index, "("), touches(index) { index = behind(index) }
      } else if kind(index) == .word, Self.attributes.contains(string(index)) {
        index += 1
      } else {
        break
      }
    }
    var type = plainType(at: &index, depth: depth)
    while index < count, isToken(index, "?") || isToken(index, "??") || isToken(index, "!"), touches(index) {
      index += 1
    }
    while isToken(index, "async") || isToken(index, "throws") || isToken(index, "&") {
      let isComposition = isToken(index, "&")
      index += 1
      if isComposition {
        _ = plainType(at: &index, depth: depth)
        type = .other
      } else if isToken(index, "("), touches(index) {
        index = behind(index)
      }
    }
    guard isToken(index, "->") else { return type }
    index += 1
    return .function(self.type(at: &index, depth: depth + 1))
  }

  private func plainType(at index: inout Int, depth: Int) -> SwiftType {
    if isToken(index, "[") {
      let end = behind(index)
      index += 1
      let first = type(at: &index, depth: depth + 1)
      var result = SwiftType.list(first)
      if isToken(index, ":") {
        index += 1
        result = .dictionary(type(at: &index, depth: depth + 1))
      }
      index = end
      return result
    }
    if isToken(index, "(") {
      let end = behind(index)
      index += 1
      let inner = type(at: &index, depth: depth + 1)
      let isAlone = index + 1 == end
      index = end
      return isAlone ? inner : .other
    }
    guard kind(index) == .word else { return .other }
    var name = string(index)
    index += 1
    while index < count {
      if isToken(index, "."), touches(index), kind(index + 1) == .word {
        name = string(index + 1)
        index += 2
      } else if isToken(index, "<"), touches(index) {
        let start = index + 1
        index = genericsEnd(index)
        guard name == "Optional" else { continue }
        var inner = start
        return type(at: &inner, depth: depth + 1)
      } else {
        break
      }
    }
    return .named(name)
  }

  /// Behind the sign that closes a list of generic parameters or arguments.
  func genericsEnd(_ open: Int) -> Int {
    var index = open
    var depth = 0
    while index < min(count, open + 400) {
      if isToken(index, "<") { depth += 1 }
      if isToken(index, ">") { depth -= 1 }
      if depth == 0 { return index + 1 }
      index = kind(index) == .open ? behind(index) : index + 1
    }
    return open + 1
  }
}
