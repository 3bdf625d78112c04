/// The names that a request may call a server by: a page of another site can make a name of its own lead to this
/// machine, but not an address, nor `localhost`.
package enum ServedHost {
  /// Tells whether a `Host` header names an address, `localhost`, or one of the allowed names.
  package static func isAllowed(_ header: String?, names: Set<String>) -> Bool {
    guard let header else { return false }
    let host = name(of: header)
    return host == "localhost" || isAddress(host) || names.contains(host)
  }

  /// Tells whether `HOST:PORT` is heard on this machine only.
  package static func isLoopback(address: String) -> Bool {
    let host = name(of: address)
    return host == "localhost" || host == "[::1]" || host.hasPrefix("127.") && isAddress(host)
  }

  /// The host of `HOST:PORT` or `HOST`, small; an IPv6 address with its brackets.
  private static func name(of text: String) -> String {
    let text = text.lowercased()
    if text.hasPrefix("[") { return text.firstIndex(of: "]").map { String(text[...$0]) } ?? text }
    return String(text.prefix { $0 != ":" })
  }

  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
