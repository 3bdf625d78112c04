import MPaaSSupport
package import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ControlAddress {
  /// Tells whether only this machine can reach it.
  package var isLoopback: Bool {
    let name = host.lowercased()
    guard name != "localhost" else { return true }
    guard let address = try? SocketAddress(ipAddress: host, port: port) else { return false }
    switch address {
    case .v4: return host.hasPrefix("127.")
    case .v6: return Self.text(of: address) == "[::1]:\(port)"
    case .unixDomainSocket: return true
    }
  }

  /// The address of the system; a name is looked up, IPv4 first, as most clients do.
  package func resolved() throws -> SocketAddress {
    switch host.lowercased() {
    case "": return try SocketAddress(ipAddress: "::", port: port)
    case "localhost": return try SocketAddress(ipAddress: "127.0.0.1", port: port)
    default: break
    }
    if let address = try? SocketAddress(ipAddress: host, port: port) { return address }
    return try SocketAddress.makeAddressResolvingHost(host, port: port)
  }

  /// `127.0.0.1:80`, `[::1]:80`.
  package static func text(of address: SocketAddress) -> String {
    guard let host = address.ipAddress, let port = address.port else { return "\(address)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Tells whether two texts of addresses to listen on mean the same.
  package static func areSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    guard let first = try? ControlAddress(one).resolved(), let second = try? ControlAddress(other).resolved() else {
      return false
    }
    return first == second
  }
}

/// The words of the system for an error.
enum ErrorWords {
  static func of(_ error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case let error as NetworkError: error.code.word
    case SocketAddressError.unknown(let host, _): "no such host: \(host)"
    default: "\(error)"
    }
  }
}
