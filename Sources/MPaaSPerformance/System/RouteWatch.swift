#if os(Linux)
  import CPerformance
  import Dispatch
  import MPaaSBase

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension RouteTable {
    static var current: Reachability {
      func text(_ path: String) -> String {
        (try? Bytes.reading(path, limit: 1 << 20)).map { String(decoding: $0.array, as: UTF8.self) } ?? ""
      }
      let name = interface(fourth: text("/proc/net/route"), sixth: text("/proc/net/ipv6_route"))
      guard let name, !name.contains("/") else { return .none }
      return Reachability(interface: kind(name), name: name)
    }

    private static func kind(_ name: String) -> Reachability.Interface {
      let folder = "/sys/class/net/\(name)"
      if access(folder + "/wireless", F_OK) == 0 || access(folder + "/phy80211", F_OK) == 0 { return .wifi }
      if name.hasPrefix("wwan") || name.hasPrefix("ppp") { return .cellular }
      return access(folder + "/device", F_OK) == 0 ? .wired : .other
    }
  }

  /// The kernel's messages of changes to links, addresses and routes.
  final class RouteWatch: Sendable {
    // Sources of events may be used from any thread; their protocol does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// - Parameter changed: Called after each message; nil is made where the kernel gives none.
    init?(_ changed: @escaping @Sendable () -> Void) {
      let socket = mp_route_socket()
      guard socket >= 0 else { return nil }
      source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global(qos: .utility))
      source.setEventHandler {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while recv(socket, &buffer, buffer.count, 0) > 0 {}
        changed()
      }
      source.setCancelHandler { close(socket) }
      source.resume()
    }

    func end() { source.cancel() }
  }
#endif
