package import NIOCore
import NIOPosix

/// A host and a port as they are written: `host:port`, `[v6]:port`, or `:port`.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
  /// Empty where the address is that of no host in particular.
  package let host: String
  package let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads `text`; the port is a number from 0 to 65535.
  package init(_ text: String) throws(NetworkError) {
    guard let colon = text.lastIndex(of: ":") else { throw Self.malformed(text) }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw Self.malformed(text)
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits),
      host.utf8.allSatisfy({ $0 > 32 && $0 != 127 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }),
      !host.contains("["), !host.contains("]")
    else { throw Self.malformed(text) }
    self.host = String(host)
    self.port = Int(port)
  }

  package init(_ address: SocketAddress) {
    host = address.ipAddress ?? ""
    port = address.port ?? 0
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The socket's address where the host is written as a number, or stands for this machine; else it is to be asked for.
  package var literal: SocketAddress? {
    if host == "localhost" { return try? SocketAddress(ipAddress: "127.0.0.1", port: port) }
    return try? SocketAddress(ipAddress: host, port: port)
  }

  /// The addresses to listen on, in the order in which they are tried.
  package func forListening() async throws(NetworkError) -> [SocketAddress] {
    if let literal { return [literal] }
    if host.isEmpty {
      return ["::", "0.0.0.0"].compactMap { try? SocketAddress(ipAddress: $0, port: port) }
    }
    let (name, number) = (host, port)
    let found = try? await NIOThreadPool.singleton.runIfActive {
      try SocketAddress.makeAddressResolvingHost(name, port: number)
    }
    guard let found else { throw NetworkError(.addressUnresolved, ["host": host]) }
    return [found]
  }

  private static func malformed(_ text: String) -> NetworkError { NetworkError(.addressMalformed, ["address": text]) }
}
