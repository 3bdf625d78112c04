/// Addresses of gateways, as far as the client looks into them.
struct RPCAddress: Hashable {
  let isEncrypted: Bool
  /// Scheme, host and port in lower case: `https://gw.example.com`.
  let origin: String
  /// Host and port.
  let host: String

  /// - Throws: `rpc-address-malformed` for anything but `http:` and `https:` with a host.
  init(_ url: String) throws(RPCError) {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw Self.malformed(url) }
    let scheme = url[..<colon].lowercased()
    let rest = bytes[colon...].dropFirst()
    guard scheme == "http" || scheme == "https", rest.starts(with: "//".utf8),
      bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") })
    else { throw Self.malformed(url) }
    let authority = rest.dropFirst(2).prefix { !Self.endsAuthority($0) }
    // Names and passwords in addresses end up in logs.
    guard let first = authority.first, first != UInt8(ascii: ":"), !authority.contains(UInt8(ascii: "@")) else {
      throw Self.malformed(url)
    }
    isEncrypted = scheme == "https"
    host = Substring(authority).lowercased()
    origin = scheme + "://" + host
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func malformed(_ url: String) -> RPCError { RPCError(.addressMalformed, ["address": url]) }
}
