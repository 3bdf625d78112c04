import MPaaSSupport

extension PropertyListValue {
  /// The value as a format holds it: each key once, references of keyed archives in the format's form, and what it has
  /// no type for as text.
  ///
  /// - Parameter isTyped: Whether the format tells numbers, dates and data from strings.
  func expressed(in format: PropertyListFormat, isTyped: Bool) -> PropertyListValue {
    isExpressed(in: format, isTyped: isTyped) ? self : made(for: format, isTyped)
  }

  /// Tells whether a format holds the value as it is.
  private func isExpressed(in format: PropertyListFormat, isTyped: Bool) -> Bool {
    switch content {
    case .dictionary(let members):
      if format == .binary, members.count == 1, archiveReference != nil { return false }
      return Self.areUnique(members)
        && members.allSatisfy { $0.value.isExpressed(in: format, isTyped: isTyped) }
    case .array(let values): return values.allSatisfy { $0.isExpressed(in: format, isTyped: isTyped) }
    case .uid: return format == .binary || (format == .json && isTyped)
    case .string: return true
    case .integer, .real, .boolean: return isTyped || format != .openstep
    case .data: return isTyped || format != .json
    case .date: return isTyped
    }
  }

  private static func areUnique(_ members: [PropertyListMember]) -> Bool {
    guard members.count <= 16 else { return Set(members.map { ExactKey($0.key) }).count == members.count }
    for (index, member) in members.enumerated() {
      for other in members[..<index] where other.key.isExactly(member.key) { return false }
    }
    return true
  }

  private func made(for format: PropertyListFormat, _ isTyped: Bool) -> PropertyListValue {
    switch content {
    case .dictionary(let members):
      if format == .binary, let number = archiveReference { return PropertyListValue(.uid(number)) }
      var known: [ExactKey: Int] = [:]
      var kept: [PropertyListMember] = []
      kept.reserveCapacity(members.count)
      for member in members {
        let own = PropertyListMember(member.key, member.value.expressed(in: format, isTyped: isTyped))
        if members.count > 1, let index = known.updateValue(kept.count, forKey: ExactKey(member.key)) {
          known[ExactKey(member.key)] = index
          kept[index] = own
        } else {
          kept.append(own)
        }
      }
      return PropertyListValue(.dictionary(kept))
    case .array(let values):
      return PropertyListValue(.array(values.map { $0.expressed(in: format, isTyped: isTyped) }))
    case .uid(let number) where format != .binary && !(format == .json && isTyped):
      let member = PropertyListMember("CF$UID", PropertyListValue(.integer(PropertyListInteger(number))))
      return PropertyListValue(.dictionary([member])).expressed(in: format, isTyped: isTyped)
    default: return isTyped ? self : PropertyListValue(untyped(format))
    }
  }

  /// The number of a keyed archive's object that text formats write as a dictionary of `CF$UID`.
  private var archiveReference: UInt64? {
    guard case .dictionary(let members) = content, members.count == 1, let member = members.first,
      member.key == "CF$UID", case .integer(let number) = member.value.content
    else { return nil }
    return UInt64(exactly: number).flatMap { $0 <= UInt32.max ? $0 : nil }
  }

  private func untyped(_ format: PropertyListFormat) -> Content {
    switch (content, format) {
    case (.date(let date), _): .string(date.description)
    case (.data(let bytes), .json): .string(Base64.encode(bytes))
    case (.integer(let number), .openstep): .string("\(number)")
    case (.real(let number), .openstep): .string("\(number)")
    case (.boolean(let value), .openstep): .string(value ? "YES" : "NO")
    default: content
    }
  }
}
