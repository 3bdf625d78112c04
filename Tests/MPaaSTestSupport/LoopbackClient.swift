import Foundation

/// Sockets of clients of servers on 127.0.0.1.
public enum LoopbackClient {
  /// Connects to a port of this machine.
  ///
  /// - Returns: The socket; its owner closes it.
  /// - Throws: `POSIXError` where there is no connection.
  public static func connect(_ port: UInt16) throws -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let code = POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED
      close(descriptor)
      throw POSIXError(code)
    }
    return descriptor
  }
}
