import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A blocking TCP socket of a test: a client, or a server's side of a connection.
final class StreamPeer: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Connects to `127.0.0.1:port`.
  init(to address: String, receiveBuffer: Int32? = nil, patience: Int = 20) throws {
    descriptor = socket(AF_INET, streamSocket, 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = loopback(UInt16(address.split(separator: ":").last ?? "") ?? 0)
    let status = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status != 0 { throw SocketFailure(code: errno) }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        #if os(Linux)
          Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
        #else
          Darwin.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, 0)
        #endif
      }
      if count <= 0 { throw SocketFailure(code: errno) }
      sent += count
    }
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Some bytes; empty at the end of the stream.
  func receive(upTo count: Int = 65536) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = recv(descriptor, &buffer, count, 0)
    if received < 0 { throw SocketFailure(code: errno) }
    return Array(buffer[..<received])
  }

  func receive(exactly count: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let part = try receive(upTo: count - all.count)
      if part.isEmpty { break }
      all += part
    }
    return all
  }

  func receiveAll() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = try receive()
      if part.isEmpty { return all }
      all += part
    }
  }

  func text(_ count: Int) throws -> String { String(decoding: try receive(exactly: count), as: UTF8.self) }

  /// Ends what it sends.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Has the socket reset the connection when it goes.
  func resetWhenClosed() {
    var value = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }
}

struct SocketFailure: Error, Equatable {
  let code: Int32
}

#if os(Linux)
  let streamSocket = Int32(SOCK_STREAM.rawValue)
  let datagramSocket = Int32(SOCK_DGRAM.rawValue)
#else
  let streamSocket = SOCK_STREAM
  let datagramSocket = SOCK_DGRAM
#endif

func loopback(_ port: UInt16) -> sockaddr_in {
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_port = port.bigEndian
  name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return name
}

/// The port that a socket is bound to.
func boundPort(_ descriptor: Int32) -> UInt16 {
  var name = sockaddr_in()
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  _ = withUnsafeMutablePointer(to: &name) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
  }
  return UInt16(bigEndian: name.sin_port)
}

/// A server on loopback that gives each connection to a thread of its own; it ends with the test.
final class StreamServer: Sendable {
  private let listener: Int32
  let address: String

  init(_ serve: @escaping @Sendable (StreamPeer) throws -> Void) {
    listener = socket(AF_INET, streamSocket, 0)
    var name = loopback(0)
    let (descriptor, size) = (listener, socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    listen(listener, 1024)
    address = "127.0.0.1:\(boundPort(listener))"
    detach {
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else {
          // Only who waits on the socket closes it: its number may be another server's right after.
          close(descriptor)
          return
        }
        detach { try? serve(StreamPeer(descriptor: accepted)) }
      }
    }
  }

  /// Sends back what comes, and its end.
  static func echo() -> StreamServer {
    StreamServer { peer in
      while true {
        let bytes = try peer.receive()
        if bytes.isEmpty { return }
        try peer.send(bytes)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// Runs `body` on a thread of its own.
func detach(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  #if os(Linux)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  pthread_create(
    &thread, nil,
    { argument in
      #if os(Linux)
        let box = argument.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }
        box?.body()
      #else
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      #endif
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  #if os(Linux)
    pthread_detach(thread)
  #else
    if let thread { pthread_detach(thread) }
  #endif
}

/// Waits on a thread of its own for what blocks, so that the tasks of the test go on.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    detach { continuation.resume(with: Result { try body() }) }
  }
}
