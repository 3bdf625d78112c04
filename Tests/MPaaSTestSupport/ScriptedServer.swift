import Foundation
import Synchronization

/// A server on 127.0.0.1 that does to each request what a test says: sends, stands still, breaks off.
///
/// Connections stay open between requests. It ends with its owner.
public final class ScriptedServer: Sendable {
  public struct Request: Sendable {
    /// From 0, over all connections.
    public let number: Int
    public let connection: Int
    public let head: String

    public var path: String { String(head.split(separator: " ").dropFirst().first ?? "") }
    /// The first byte that is wanted; nil where no range is.
    public var start: Int? {
      guard let line = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("range: bytes=") })
      else { return nil }
      return Int(line.dropFirst(13).prefix { $0.isNumber })
    }
  }

  public enum Step: Sendable {
    case send([UInt8])
    /// Waits this long before each of the next pieces of 16 KiB; 0: not at all.
    case pace(microseconds: UInt32)
    case stall(seconds: Double)
    case close
  }

  public let port: UInt16
  private let socket: Int32
  private let state = State()

  private final class State: Sendable {
    let requests = Mutex<[Request]>([])
    let sent = Mutex<[Int: Int]>([:])
    let connections = Mutex(0)
  }

  public init(answer: @escaping @Sendable (Request) -> [Step]) throws {
    (socket, port) = try Self.listen()
    let (listener, state) = (socket, state)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          close(listener)
          return
        }
        let number = state.connections.withLock { count in
          defer { count += 1 }
          return count
        }
        Thread.detachNewThread {
          Self.serve(connection, number, state, answer)
          close(connection)
        }
      }
    }
  }

  public var url: String { "http://127.0.0.1:\(port)" }
  public var requests: [Request] { state.requests.withLock { $0 } }
  public var connections: Int { state.connections.withLock { $0 } }
  /// Bytes that were handed to the system for a request, its head included.
  public func sent(_ number: Int) -> Int { state.sent.withLock { $0[number] ?? 0 } }
  public var sent: Int { state.sent.withLock { $0.values.reduce(0, +) } }

  /// An answer with its length, or with another one.
  public static func answer(
    _ status: String, _ headers: [String] = [], body: [UInt8] = [], length: Int? = nil
  ) -> Step {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.count)"] + headers
    return .send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// A file as a proper server sends it: whole, or the range that is wanted.
  public static func file(_ body: [UInt8], to request: Request, tag: String = "\"v1\"") -> Step {
    let headers = ["ETag: \(tag)"]
    guard let start = request.start, !request.head.contains("If-Range:") || request.head.contains("If-Range: \(tag)")
    else { return answer("200 OK", headers, body: body) }
    guard start < body.count else {
      return answer("416 Range Not Satisfiable", ["Content-Range: bytes */\(body.count)"])
    }
    return answer(
      "206 Partial Content", headers + ["Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)"],
      body: Array(body[start...]))
  }

  private static func listen() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = Foundation.socket(AF_INET, kind, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // What is on its way when a client is killed is counted as sent: little of it.
    var buffer: Int32 = 1 << 16
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && Foundation.listen(listener, 128) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listener >= 0, isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func serve(
    _ connection: Int32, _ number: Int, _ state: State, _ answer: @Sendable (Request) -> [Step]
  ) {
    while true {
      let head = head(connection)
      guard head.hasSuffix("\r\n\r\n") else { return }
      let request = state.requests.withLock { requests in
        let request = Request(number: requests.count, connection: number, head: head)
        requests.append(request)
        return request
      }
      var pace: UInt32 = 0
      for step in answer(request) {
        switch step {
        case .send(let bytes): guard send(bytes, connection, request.number, pace, state) else { return }
        case .pace(let microseconds): pace = microseconds
        case .stall(let seconds): Thread.sleep(forTimeInterval: seconds)
        case .close: return
        }
      }
    }
  }

  private static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var one: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]), read(connection, &one, 1) == 1 { bytes.append(one) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func send(
    _ bytes: [UInt8], _ connection: Int32, _ number: Int, _ pace: UInt32, _ state: State
  ) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      if pace > 0 { usleep(pace) }
      let count = rest.prefix(1 << 14).withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      state.sent.withLock { $0[number, default: 0] += count }
      rest = rest.dropFirst(count)
    }
    return true
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
