import MPaaSSupport
import NIOCore
import NIOPosix

/// The target that a real network is measured by: `host:port`, or a URL that is fetched too.
package struct ProbeTarget: Sendable, Hashable {
  package let host: String
  package let port: Int
  package let isTLS: Bool
  /// The path that is fetched, with the query; nil where only connections are made.
  package let path: String?

  /// - Parameter text: `host:port`, `http://…` or `https://…`.
  package init(_ text: String) throws(NetworkError) {
    var rest = text[...]
    var usual: Int?
    var isTLS = false
    for (scheme, port) in [("http://", 80), ("https://", 443)] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      usual = port
      isTLS = port == 443
    }
    let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var authority = String(rest[..<hostEnd])
    var path = String(rest[hostEnd...].prefix { $0 != "#" })
    if let usual {
      if authority.hasSuffix("]") || !authority.contains(":") { authority += ":\(usual)" }
      if !path.hasPrefix("/") { path = "/" + path }
    }
    let isClean = (authority + path).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    guard isClean, usual != nil || path.isEmpty, let address = try? NetworkAddress(authority), !address.host.isEmpty,
      address.port > 0
    else { throw NetworkError(.recordTarget, ["target": text]) }
    host = address.host
    port = address.port
    self.isTLS = isTLS
    self.path = usual == nil ? nil : path
  }

  /// The address of the name, which is not part of what is measured.
  func resolved() async throws(NetworkError) -> SocketAddress {
    let (host, port) = (host, port)
    if let literal = NetworkAddress(host: host, port: port).literal { return literal }
    let found = try? await NIOThreadPool.singleton.runIfActive {
      try SocketAddress.makeAddressResolvingHost(host, port: port)
    }
    guard let found else { throw NetworkError(.recordUnresolved, ["host": host]) }
    return found
  }
}

extension NetworkError.Code {
  /// Something to measure that is neither `host:port` nor a URL.
  package static var recordTarget: Self { NetworkError.Code("net-record-target", exit: .usage) }
  /// A name without an address.
  package static var recordUnresolved: Self { NetworkError.Code("net-record-unresolved", exit: .unreachable) }
}
