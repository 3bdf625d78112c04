package import MPaaSSupport

/// An address of a gateway: `http` or `https`, a host, perhaps a port.
package struct GatewayAddress: Sendable, Equatable {
  package let scheme: String
  /// In small letters, without the brackets of IPv6.
  package let host: String
  package let port: Int?

  /// - Throws: The codes below, which name the key and the value.
  package init(_ text: String, key: String, at place: Place?) throws(ConfigError) {
    func fault(_ code: ConfigError.Code) -> ConfigError { ConfigError(code, ["key": key, "value": text], at: place) }
    let bytes = Array(text.utf8)
    if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7f }) { throw fault(.gatewayURLBlank) }
    if bytes.contains(where: { Self.forbidden.contains($0) }) { throw fault(.gatewayURLCharacter) }
    guard let mark = text.firstPlace(of: "://") else { throw fault(.gatewayURLMalformed) }
    scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw ConfigError(.gatewayURLScheme, ["key": key, "value": text, "scheme": scheme], at: place)
    }
    let authority = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let (host, port) = try Self.parts(server, fault)
    self.host = host
    self.port = port
  }

  private static let forbidden = Set("<>\"{}|\\^`".utf8)

  private static func parts(
    _ server: Substring, _ fault: (ConfigError.Code) -> ConfigError
  ) throws(ConfigError) -> (host: String, port: Int?) {
    var rest = server
    let host: String
    if server.hasPrefix("[") {
      guard let close = server.firstIndex(of: "]") else { throw fault(.gatewayURLHost) }
      host = server[server.index(after: server.startIndex)..<close].lowercased()
      rest = server[server.index(after: close)...]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        throw fault(.gatewayURLHost)
      }
    } else {
      host = server.prefix { $0 != ":" }.lowercased()
      rest = server.dropFirst(host.count)
      guard isName(host) else { throw fault(.gatewayURLHost) }
    }
    guard !rest.isEmpty else { return (host, nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65535).contains(port)
    else { throw fault(.gatewayURLPort) }
    return (host, port)
  }

  /// A name of labels with dots between them (RFC 1123, 2.1), or an address of four numbers.
  private static func isName(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard !host.isEmpty, host.utf8.count <= 253 else { return false }
    if labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) {
      return labels.count == 4 && labels.allSatisfy { Int($0).map { $0 < 256 } ?? false }
    }
    return labels.enumerated().allSatisfy { index, label in
      // One dot at the end is the root of all names.
      if label.isEmpty { return index == labels.count - 1 && index > 0 }
      return label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
        }
    }
  }

  /// Tells whether only the machine itself, or its own network, can reach it (RFC 1918, 4193, 3927, 6762).
  package var isPrivate: Bool {
    if host == "localhost" || host.hasSuffix(".local") || host.hasSuffix(".localhost") || host == "::1" { return true }
    if host.contains(":") { return host.hasPrefix("fc") || host.hasPrefix("fd") || host.hasPrefix("fe80") }
    let numbers = host.split(separator: ".").compactMap { Int($0) }
    guard numbers.count == 4 else { return false }
    switch (numbers[0], numbers[1]) {
    case (10, _), (127, _), (192, 168), (169, 254), (172, 16...31): return true
    default: return false
    }
  }

  /// Tells whether it stands for an address that somebody has to put in (RFC 2606, and what people write).
  package var isPlaceholder: Bool {
    let labels = host.split(separator: ".").map(String.init)
    let reserved = ["example", "test", "invalid"]
    if let last = labels.last, reserved.contains(last) { return true }
    if labels.count >= 2, labels[labels.count - 2] == "example",
      ["com", "net", "org"].contains(labels[labels.count - 1])
    {
      return true
    }
    return labels.contains { label in
      ["todo", "xxx", "xxxx", "changeme", "placeholder"].contains(label) || label.hasPrefix("your-") || label == "your"
        || label == "yourdomain" || label == "yourcompany"
    }
  }
}

extension ConfigError.Code {
  /// No scheme: nothing before `://`.
  package static var gatewayURLMalformed: Self { malformed("gateway-url-malformed") }
  package static var gatewayURLBlank: Self { malformed("gateway-url-blank") }
  package static var gatewayURLCharacter: Self { malformed("gateway-url-character") }
  package static var gatewayURLHost: Self { malformed("gateway-url-host") }
  package static var gatewayURLPort: Self { malformed("gateway-url-port") }
  /// Neither http nor https.
  package static var gatewayURLScheme: Self { malformed("gateway-url-scheme") }
}
