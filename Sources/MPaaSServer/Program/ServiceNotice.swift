import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells the service manager how the server is, where that asked for it (sd_notify(3)).
struct ServiceNotice: Sendable {
  /// The path of the manager's socket, or behind `@` the name of an abstract one; nil where there is none.
  private let socket: String?
  /// Seconds between two signs of life; nil where none is asked for.
  let interval: Double?

  init(_ environment: [String: String]) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOwn = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    // Half the time that the manager waits, as sd_watchdog_enabled(3) advises.
    interval = environment["WATCHDOG_USEC"].flatMap { Double($0) }.map { $0 / 2_000_000 }.flatMap { isOwn ? $0 : nil }
  }

  /// Sends lines such as `READY=1`; a manager that does not listen is no error.
  func send(_ lines: String) {
    guard let socket, let address = Self.address(socket) else { return }
    #if canImport(Darwin)
      let descriptor = Darwin.socket(AF_UNIX, SOCK_DGRAM, 0)
    #elseif canImport(Glibc)
      let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      let descriptor = Musl.socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return }
    let file = OpenFile(descriptor: descriptor, path: socket)
    var (place, size) = address
    let bytes = Array(lines.utf8)
    _ = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(file.descriptor, bytes, bytes.count, 0, $0, size)
      }
    }
  }

  private static func address(_ path: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    return (address, socklen_t(start + bytes.count + (isAbstract ? 0 : 1)))
  }
}
