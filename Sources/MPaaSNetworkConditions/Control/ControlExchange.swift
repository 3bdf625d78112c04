#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A request of HTTP/1.1 and its answer, on a connection of their own and on the thread that calls.
struct ControlExchange: Sendable {
  /// Why there is no answer.
  enum Failure: Error, Equatable {
    /// Nobody takes the connection, or it ended without an answer.
    case unreachable(String)
    case timedOut
    /// What answers is no HTTP that is known here.
    case foreign(String)

    /// What the system says of an errno.
    fileprivate static func system(_ number: Int32) -> Failure { .unreachable(String(cString: strerror(number))) }
  }

  /// How long a connection may take to be made.
  private static let connectLimit = Duration.seconds(5)

  private let target: ControlAddress
  private let limit: Duration

  /// - Parameter limit: How long the answer may take to be whole.
  init(_ target: ControlAddress, within limit: Duration) {
    self.target = target
    self.limit = limit
  }

  /// Sends a request and waits for its answer.
  func outcome(of request: [UInt8]) -> Result<ControlReply, Failure> {
    do throws(Failure) {
      let connection = try connected()
      defer { close(connection) }
      let deadline = ContinuousClock.now + limit
      try send(request, on: connection, until: deadline)
      return .success(try reply(on: connection, until: deadline))
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Connecting

  private func connected() throws(Failure) -> Int32 {
    var hints = addrinfo()
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    // All addresses of this machine, and its own name, as the server understands them.
    let host = ["": "::", "localhost": "127.0.0.1"][target.host.lowercased()] ?? target.host
    guard getaddrinfo(host, String(target.port), &hints, &found) == 0, let first = found else {
      throw .unreachable("no such host: \(target.host)")
    }
    defer { freeaddrinfo(found) }
    return try Self.connected(to: first.pointee)
  }

  private static func connected(to address: addrinfo) throws(Failure) -> Int32 {
    let connection = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard connection >= 0 else { throw .system(errno) }
    do throws(Failure) {
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
      if connect(connection, address.ai_addr, address.ai_addrlen) != 0 {
        guard errno == EINPROGRESS || errno == EINTR else { throw .system(errno) }
        guard wait(POLLOUT, on: connection, until: .now + connectLimit) else { throw .system(ETIMEDOUT) }
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(connection, SOL_SOCKET, SO_ERROR, &number, &size)
        guard number == 0 else { throw .system(number) }
      }
      return connection
    } catch {
      close(connection)
      throw error
    }
  }

  /// Waits until something can be done; false where the time is over before.
  private static func wait(_ event: Int32, on connection: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = max(ContinuousClock.now.duration(to: deadline), .zero).components
      // Up to the next millisecond, so that what is left is not asked for over and over.
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1
      var waited = pollfd(fd: connection, events: Int16(event), revents: 0)
      let count = poll(&waited, 1, left == (0, 0) ? 0 : Int32(clamping: milliseconds))
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }

  // MARK: - Talking

  private func send(_ bytes: [UInt8], on connection: Int32, until deadline: ContinuousClock.Instant) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(connection, $0.baseAddress.map { $0 + sent }, $0.count - sent) }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        guard Self.wait(POLLOUT, on: connection, until: deadline) else { throw .timedOut }
      } else if errno == EPIPE || errno == ECONNRESET {
        // It may have answered before it closed.
        return
      } else if errno != EINTR {
        throw .system(errno)
      }
    }
  }

  private func reply(on connection: Int32, until deadline: ContinuousClock.Instant) throws(Failure) -> ControlReply {
    var reader = ControlReplyReader()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      guard Self.wait(POLLIN, on: connection, until: deadline) else { throw .timedOut }
      let count = read(connection, &piece, piece.count)
      if count > 0 {
        if let reply = try reader.take(piece[..<count]) { return reply }
      } else if count == 0 {
        return try reader.end()
      } else if errno != EINTR, errno != EAGAIN {
        throw .system(errno)
      }
    }
  }
}
