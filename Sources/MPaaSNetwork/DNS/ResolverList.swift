import MPaaSSupport

/// The name servers that the system asks, as `resolv.conf` lists them.
package enum ResolverList {
  /// The addresses of the first three servers, which is as many as the system takes itself.
  package static func read(_ text: String) -> [String] {
    var found: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 2, words[0] == "nameserver" else { continue }
      // The interface of a link-local address is not needed to know the server by.
      found.append(String(words[1].prefix { $0 != "%" && $0 != "#" && $0 != ";" }))
    }
    return Array(found.prefix(3))
  }

  /// The servers that a definition leads to.
  static func servers(of definition: ProxyDefinition, file: String = "/etc/resolv.conf") throws(NetworkError)
    -> [NetworkAddress]
  {
    if !definition.upstream.isEmpty { return [try NetworkAddress(definition.upstream)] }
    let text = (try? Bytes.mapping(file).array).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let servers = read(text).map { NetworkAddress(host: $0, port: 53) }.filter { $0.literal != nil }
    guard !servers.isEmpty else { throw NetworkError(.resolversMissing, ["file": file]) }
    return servers
  }
}

extension NetworkError.Code {
  /// No name server to ask.
  package static var resolversMissing: Self { NetworkError.Code("net-dns-resolvers-missing", exit: .badConfiguration) }
}
