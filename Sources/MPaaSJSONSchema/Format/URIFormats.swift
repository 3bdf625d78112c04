/// Addresses of RFC 3986, of RFC 3987 with letters of all languages, and templates of RFC 6570.
enum URIFormats {
  static func isURI(_ text: String, isInternational: Bool) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, (first | 0x20) &- 0x61 < 26,
      scheme.utf8.allSatisfy({ AddressFormats.isAlphanumeric($0) || "+-.".utf8.contains($0) })
    else { return false }
    return isReference(String(text[text.index(after: colon)...]), isInternational: isInternational, hasScheme: true)
  }

  static func isReference(_ text: String, isInternational: Bool, hasScheme: Bool = false) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.filter({ $0 == UInt8(ascii: "#") }).count <= 1 else { return false }
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "%"):
        guard place + 2 < bytes.count, isHexadecimal(bytes[place + 1]), isHexadecimal(bytes[place + 2]) else {
          return false
        }
      case 0...0x20, 0x7f: return false
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"):
        return false
      case 0x80...: guard isInternational else { return false }
      default: break
      }
      place += 1
    }
    if text.hasPrefix("//") { return isAuthority(text.dropFirst(2).prefix { !"/?#".contains($0) }, text) }
    guard !text.contains("[") && !text.contains("]") else { return false }
    // Without a scheme, the first part of a path has no colon.
    return hasScheme || !text.prefix { !"/?#".contains($0) }.contains(":")
      || isURI(text, isInternational: isInternational)
  }

  private static func isAuthority(_ authority: Substring, _ text: String) -> Bool {
    let rest = text.dropFirst(2 + authority.count)
    guard !rest.contains("["), !rest.contains("]") else { return false }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let user = authority.count == host.count ? "" : authority.dropLast(host.count + 1)
    guard !user.contains("@"), !user.contains("["), !user.contains("]") else { return false }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      let inside = String(host[host.index(after: host.startIndex)..<end])
      let port = host[host.index(after: end)...]
      guard port.isEmpty || (port.first == ":" && port.dropFirst().utf8.allSatisfy { $0 &- 0x30 < 10 }) else {
        return false
      }
      return AddressFormats.isIPv6(inside) || inside.lowercased().hasPrefix("v")
    }
    guard !host.contains("["), !host.contains("]") else { return false }
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count < 2 || (parts.count == 2 && parts[1].utf8.allSatisfy { $0 &- 0x30 < 10 })
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

  /// RFC 6570: literals, and expressions in braces.
  static func isTemplate(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")), isExpression(rest[..<end]) else { return false }
        rest = rest[(end + 1)...]
      case 0...0x20, 0x7f, UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
        return false
      case UInt8(ascii: "%"):
        guard rest.count > 1, rest.prefix(2).allSatisfy({ isHexadecimal($0) }) else { return false }
      default: break
      }
    }
    return true
  }

  /// An operator, and names with a length or an asterisk behind them.
  private static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if let first = rest.first, "+#./;?&=,!@|".utf8.contains(first) { rest.removeFirst() }
    return rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy { part in
      var name = part
      if name.last == UInt8(ascii: "*") {
        name.removeLast()
      } else if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
        let digits = name[(colon + 1)...]
        guard (1...4).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }), digits.first != 0x30 else {
          return false
        }
        name = name[..<colon]
      }
      return isVariable(name)
    }
  }

  private static func isVariable(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      var rest = part
      guard !rest.isEmpty else { return false }
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
          guard rest.count > 1, rest.prefix(2).allSatisfy({ isHexadecimal($0) }) else { return false }
          rest = rest.dropFirst(2)
        } else if !AddressFormats.isAlphanumeric(byte), byte != UInt8(ascii: "_") {
          return false
        }
      }
      return true
    }
  }
}
