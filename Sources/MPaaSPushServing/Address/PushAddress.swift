package import MPaaSPush
import MPaaSSupport
import NIOCore

/// The host and the port of a provider, and the path of a request.
package struct PushAddress: Sendable, Equatable {
  package let host: String
  package let port: Int
  /// With the first slash.
  package let path: String

  init(host: String, port: Int) {
    self.host = host
    self.port = port
    path = "/"
  }

  /// Reads `https://HOST`, with a port and a path where there are any.
  ///
  /// - Throws: `push-address`.
  package init(_ url: String) throws(PushError) {
    let refused = PushError(.address, ["address": url])
    guard url.lowercased().hasPrefix("https://") else { throw refused }
    let rest = url.dropFirst(8)
    let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var name = rest[..<slash]
    var port = 443
    if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
      guard let number = UInt16(name[name.index(after: colon)...]), number > 0 else { throw refused }
      port = Int(number)
      name = name[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x40 }) else { throw refused }
    host = String(name)
    self.port = port
    path = slash == rest.endIndex ? "/" : String(rest[slash...])
  }

  /// The field `:authority`.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }

  /// True for an address in digits, which is no server name (RFC 6066, section 3).
  var isNumber: Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }
}
