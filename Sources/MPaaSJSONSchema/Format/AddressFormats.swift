/// Addresses of mail and of machines.
enum AddressFormats {
  static func isEmail(_ text: String, isInternational: Bool) -> Bool {
    guard isInternational || text.utf8.allSatisfy({ $0 < 0x80 }), let at = text.lastIndex(of: "@") else { return false }
    let local = text[..<at]
    let domain = String(text[text.index(after: at)...])
    guard !local.isEmpty, local.utf8.count <= 64, isLocal(local) else { return false }
    if domain.hasPrefix("["), domain.hasSuffix("]") {
      let literal = String(domain.dropFirst().dropLast())
      return literal.hasPrefix("IPv6:") ? isIPv6(String(literal.dropFirst(5))) : isIPv4(literal)
    }
    return isInternational ? isInternationalHostname(domain) : isHostname(domain)
  }

  private static func isLocal(_ text: Substring) -> Bool {
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 { return true }
    let others = Set("!#$%&'*+-/=?^_`{|}~".utf8)
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || others.contains($0) || $0 >= 0x80 }
    }
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }

  /// RFC 1123: labels of letters, digits and hyphens.
  static func isHostname(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 253 else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
        && label.utf8.last != UInt8(ascii: "-") && !hasHyphens(label)
        && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// Two hyphens as the third and fourth letter are kept for encodings, of which `xn--` is the only one.
  private static func hasHyphens(_ label: Substring) -> Bool {
    let bytes = Array(label.utf8)
    guard bytes.count > 3, bytes[2] == UInt8(ascii: "-"), bytes[3] == UInt8(ascii: "-") else { return false }
    return !label.lowercased().hasPrefix("xn--") || bytes.count == 4
  }

  static func isInternationalHostname(_ text: String) -> Bool {
    let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"]
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }
    guard !text.isEmpty, text.unicodeScalars.count <= 253 else { return false }
    return labels.allSatisfy { label in
      if label.allSatisfy(\.isASCII) { return isHostname(String(label)) }
      guard label.first != "-", label.last != "-", label.count <= 59 else { return false }
      return label.allSatisfy { $0.isASCII ? isAlphanumeric(UInt8($0.value)) || $0 == "-" : isLetterLike($0) }
    }
  }

  private static func isLetterLike(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber: true
    // The middle dot, the Greek numeral sign, the Hebrew punctuation and the Katakana dot, between the right letters.
    default: [0xb7, 0x375, 0x5f3, 0x5f4, 0x30fb, 0x200c, 0x200d].contains(scalar.value)
    }
  }

  static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { $0 &- 0x30 < 10 }
          && (part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")) && UInt8(part) != nil
      }
  }

  static func isIPv6(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    guard let gap = text.firstRange(of: "::") else { return groups(text) == 8 }
    let head = String(text[..<gap.lowerBound])
    let tail = String(text[gap.upperBound...])
    guard let left = head.isEmpty ? 0 : groups(head, isLast: false), let right = tail.isEmpty ? 0 : groups(tail) else {
      return false
    }
    return left + right < 8
  }

  /// The number of groups of 16 bits; nil where one is none.
  ///
  /// The last two may be an address of version 4.
  private static func groups(_ text: String, isLast: Bool = true) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var count = 0
    for (index, part) in parts.enumerated() {
      if isLast, index == parts.count - 1, part.contains(".") {
        guard isIPv4(String(part)) else { return nil }
        count += 2
      } else {
        guard (1...4).contains(part.utf8.count), UInt16(part, radix: 16) != nil else { return nil }
        count += 1
      }
    }
    return count
  }
}
