#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reason why a measurement cannot be made.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}

#if os(Linux)
  private let stream = Int32(SOCK_STREAM.rawValue)
#else
  private let stream = SOCK_STREAM
#endif

/// A blocking socket; the measurements are of the proxies, so that the ends are as plain as can be.
struct Socket: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  }

  /// Connects to `127.0.0.1:port`; a source address of its own lets one machine open more than its ports allow.
  init(to address: String, from source: UInt32 = 0x7f00_0001) throws {
    self.init(descriptor: socket(AF_INET, stream, 0))
    if source != 0x7f00_0001 {
      var name = Self.name(0, source)
      _ = Self.with(&name) { bind(descriptor, $0, $1) }
    }
    var name = Self.name(UInt16(address.split(separator: ":").last ?? "") ?? 0, 0x7f00_0001)
    let fd = descriptor
    guard Self.with(&name, { connect(fd, $0, $1) }) == 0 else {
      defer { close(fd) }
      throw Failure("connect \(address)")
    }
  }

  static func listening(on port: UInt16) -> Socket {
    let fd = socket(AF_INET, stream, 0)
    var one: Int32 = 1
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    var name = Self.name(port, 0x7f00_0001)
    _ = Self.with(&name) { bind(fd, $0, $1) }
    listen(fd, 4096)
    return Socket(descriptor: fd)
  }

  private static func name(_ port: UInt16, _ host: UInt32) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = host.bigEndian
    return name
  }

  private static func with<R>(_ name: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  /// The port that it is bound to.
  var port: UInt16 {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: name.sin_port)
  }

  func accept() -> Socket? {
    #if os(Linux)
      let fd = Glibc.accept(descriptor, nil, nil)
    #else
      let fd = Darwin.accept(descriptor, nil, nil)
    #endif
    return fd < 0 ? nil : Socket(descriptor: fd)
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int { recv(descriptor, buffer.baseAddress, buffer.count, 0) }

  /// Writes all.
  func write(_ buffer: UnsafeRawBufferPointer) -> Bool {
    var rest = buffer[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = send(descriptor, part.baseAddress, part.count, 0)
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
  func end() { close(descriptor) }
}

/// Runs `body` on a thread of its own.
func detach(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 1 << 18)
  #if os(Linux)
    var thread = pthread_t()
    pthread_create(
      &thread, &attributes,
      { argument in
        argument.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }?.body()
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
  #else
    var thread: pthread_t?
    pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    if let thread { pthread_detach(thread) }
  #endif
}

/// Seconds of a clock that only goes forward.
func seconds() -> Double {
  let time = ContinuousClock.now - epoch
  return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
}
private let epoch = ContinuousClock.now

extension Array where Element == Double {
  /// The value that this share of a sorted array lies below.
  func percentile(_ share: Double) -> Double { isEmpty ? 0 : self[Swift.min(count - 1, Int(Double(count) * share))] }
}

/// A number with so many digits after the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  let whole = Int((value * scale).rounded())
  guard digits > 0 else { return String(whole) }
  let rest = String(whole % Int(scale))
  return "\(whole / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
}
