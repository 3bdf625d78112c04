import Foundation
import MPaaSTestSupport
import Testing

/// A connection that sends bytes as they are, and reads what comes.
final class RawConnection {
  private let descriptor: Int32

  /// Connects to a port of this machine; reading ends after `patience` seconds.
  init(_ port: Int, patience: Int = 60) throws {
    descriptor = try LoopbackClient.connect(UInt16(port))
    var time = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends all bytes.
  ///
  /// - Returns: False where the connection is closed.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.write(descriptor, $0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
      // Or a closed connection would end the tests.
      Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// Reads until a text has come, or the connection is closed.
  func read(until end: String) -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).contains(end), let more = readSome(), !more.isEmpty { all += more }
    return String(decoding: all, as: UTF8.self)
  }

  /// Reads until the connection is closed.
  ///
  /// - Returns: What came, and the seconds that it took; nil in the place of these where it stayed open.
  func readToEnd() -> (text: String, seconds: Double?) {
    let start = Date()
    var all: [UInt8] = []
    while let more = readSome() {
      if more.isEmpty { return (String(decoding: all, as: UTF8.self), -start.timeIntervalSinceNow) }
      all += more
    }
    return (String(decoding: all, as: UTF8.self), isReset ? -start.timeIntervalSinceNow : nil)
  }

  private var isReset = false

  /// Bytes; none at the end, nil where nothing came in time or the connection was broken.
  private func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else {
      isReset = errno == ECONNRESET
      return nil
    }
    return Array(buffer[..<count])
  }
}
