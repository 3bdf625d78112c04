import MPaaSPattern

extension FlagSnapshot {
  /// The text of a field; nil where the context has none.
  func value(of field: CompiledField, _ context: FlagContext) -> String? {
    switch field.kind {
    case .userId: context.userId
    case .sessionId: context.sessionId
    case .environment: context.environment
    case .appName: context.appName
    case .remoteAddress: context.remoteAddress
    case .currentTime: context.currentTime
    case .property: context.properties[propertyNames[Int(field.name)]]
    }
  }

  /// Tells whether a constraint holds.
  ///
  /// A value that is missing or malformed meets no condition, and so every inverted one.
  func holds(_ constraint: CompiledConstraint, _ context: FlagContext) -> Bool {
    let value = value(of: constraint.field, context)
    return holds(constraint.test, value, isTime: constraint.field.kind == .currentTime) != constraint.isInverted
  }

  private func holds(_ test: CompiledConstraint.Test, _ value: String?, isTime: Bool) -> Bool {
    switch test {
    case .never: return false
    case .isOne(let list): return value.map { contains($0, in: list) } ?? false
    case .isNone(let list): return !(value.map { contains($0, in: list) } ?? false)
    case .moment(let comparison, let moment):
      guard let value else { return isTime && comparison.holds(Self.order(.now, moment)) }
      return value.withBytes { Moment($0) }.map { comparison.holds(Self.order($0, moment)) } ?? false
    default:
      guard let value else { return false }
      return holds(test, value)
    }
  }

  private static func order(_ one: Moment, _ other: Moment) -> Int { one == other ? 0 : one < other ? -1 : 1 }

  private func holds(_ test: CompiledConstraint.Test, _ value: String) -> Bool {
    switch test {
    case .never, .isOne, .isNone, .moment: return false
    case .starts(let texts, let ignoresCase):
      return hasText(texts, in: value, ignoresCase) { $0.starts(with: $1) }
    case .ends(let texts, let ignoresCase):
      return hasText(texts, in: value, ignoresCase) { value, text in
        value.count >= text.count && value[(value.count - text.count)...].elementsEqual(text)
      }
    case .contains(let texts, let ignoresCase):
      return hasText(texts, in: value, ignoresCase) { Self.contains($0, $1) }
    case .number(let comparison, let number):
      guard let value = DecimalNumber.inContext(value) else { return false }
      // Two numbers that differ by less than doubles around 1 do are the same, as other clients have it.
      if comparison == .equal { return (value - number).magnitude < Double.ulpOfOne }
      return !value.isNaN && comparison.holds(value == number ? 0 : value < number ? -1 : 1)
    case .version(let comparison, let text):
      return value.withBytes { bytes in
        guard let version = SemanticVersion(bytes) else { return false }
        return withText(Int(text)) { SemanticVersion($0).map { comparison.holds(version.compared(to: $0)) } ?? false }
      }
    case .pattern(let number): return value.withBytes { patterns[Int(number)].matches($0) }
    case .addresses(let run): return isAddress(value, in: run)
    }
  }

  func isAddress(_ text: String, in run: Run) -> Bool {
    guard let address = text.withBytes({ NetworkRange(address: $0) }) else { return false }
    for index in run.range where networks[index].contains(address) { return true }
    return false
  }

  private func hasText(
    _ texts: Run, in value: String, _ ignoresCase: Bool,
    _ test: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    let hasText: (UnsafeBufferPointer<UInt8>) -> Bool = { value in
      for text in texts.range where self.withText(text, { test(value, $0) }) { return true }
      return false
    }
    return ignoresCase ? value.withLowercaseBytes(hasText) : value.withBytes(hasText)
  }

  /// Tells whether bytes are found in others.
  private static func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = wanted.first else { return true }
    guard bytes.count >= wanted.count else { return false }
    for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
      var index = 1
      while index < wanted.count, bytes[start + index] == wanted[index] { index += 1 }
      if index == wanted.count { return true }
    }
    return false
  }
}
