import MPaaSSupport

/// Addresses of schemas (RFC 3986), as far as `$id` and `$ref` need them.
package enum SchemaAddress {
  /// The address that `reference` means where `base` is in force.
  package static func resolve(_ reference: String, _ base: String) -> String {
    if scheme(reference) != nil || base.isEmpty { return reference }
    if reference.isEmpty { return withoutFragment(base) }
    if reference.hasPrefix("#") { return withoutFragment(base) + reference }
    guard let scheme = scheme(base) else { return merged(reference, onto: withoutFragment(base), root: "") }
    if reference.hasPrefix("//") { return scheme + ":" + reference }
    let rest = base.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else {
      return rest.hasPrefix("/") ? merged(reference, onto: String(rest), root: scheme + ":") : reference
    }
    let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "#" && $0 != "?" }
    let root = scheme + "://" + authority
    return merged(reference, onto: withoutFragment(String(base.dropFirst(root.count))), root: root)
  }

  package static func withoutFragment(_ address: String) -> String {
    String(address.prefix { $0 != "#" })
  }

  /// The fragment behind the first number sign; nil where there is none.
  package static func fragment(_ address: String) -> String? {
    address.firstIndex(of: "#").map { String(address[address.index(after: $0)...]) }
  }

  private static func scheme(_ address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon]
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return String(scheme)
  }

  private static func merged(_ reference: String, onto path: String, root: String) -> String {
    let tail = reference.firstIndex(of: "#").map { reference[$0...] } ?? ""
    let reference = reference.prefix { $0 != "#" }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let joined = reference.hasPrefix("/") ? String(reference) : folder + String(reference)
    return root + withoutDots(joined.isEmpty || joined.hasPrefix("/") || root.isEmpty ? joined : "/" + joined) + tail
  }

  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      switch part {
      case ".": if index == parts.count - 1 { kept.append("") }
      case "..":
        if kept.count > 1 || (kept.count == 1 && kept[0] != "") { kept.removeLast() }
        if index == parts.count - 1 { kept.append("") }
      default: kept.append(part)
      }
    }
    return kept.joined(separator: "/")
  }

  /// The steps of a JSON pointer (RFC 6901), which may be percent-encoded.
  package static func steps(_ pointer: String) -> [String] {
    PercentEncoding.decodeLeniently(pointer.utf8).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
  }
}
