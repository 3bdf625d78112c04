#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The server behind the proxies: the first byte of a connection says what it does with the rest.
enum Server {
  static func run(port: UInt16) {
    let listener = Socket.listening(on: port)
    print("ready")
    fflush(nil)
    while let socket = listener.accept() { detach { serve(socket) } }
  }

  private static func serve(_ socket: Socket) {
    var kind: UInt8 = 0
    guard withUnsafeMutableBytes(of: &kind, { socket.read($0) }) == 1 else { return socket.end() }
    switch kind {
    case UInt8(ascii: "S"): sink(socket)
    case UInt8(ascii: "I"): idle(socket)
    default: echo(socket)
    }
  }

  /// Counts what comes, and answers with the count.
  private static func sink(_ socket: Socket) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var count: UInt64 = 0
    while true {
      let read = socket.read(buffer)
      if read <= 0 { break }
      count += UInt64(read)
    }
    _ = withUnsafeBytes(of: &count) { socket.write($0) }
    socket.end()
  }

  /// Answers one byte and stays open without a thread.
  private static func idle(_ socket: Socket) {
    var byte: UInt8 = 0
    _ = withUnsafeMutableBytes(of: &byte) { socket.read($0) }
    _ = withUnsafeBytes(of: &byte) { socket.write($0) }
  }

  private static func echo(_ socket: Socket) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let read = socket.read(buffer)
      guard read > 0, socket.write(UnsafeRawBufferPointer(rebasing: buffer[..<read])) else { break }
    }
    socket.end()
  }
}
