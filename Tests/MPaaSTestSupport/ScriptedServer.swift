import Foundation
import Synchronization

/// A server on 127.0.0.1 that does to each request what a test says: sends, stands still, breaks off.
///
/// Connections stay open between requests. It ends with its owner.
public final class ScriptedServer: Sendable {
  /// A request that the server got.
  public struct Request: Sendable {
    /// From 0, over all connections.
    public let number: Int
    /// The number of the connection that the request came over, from 0.
    public let connection: Int
    /// The request line and the header fields, with the empty line behind them.
    public let head: String

    /// The path of the request line, with its query.
    public var path: String { String(head.split(separator: " ").dropFirst().first ?? "") }
    /// The first byte that is wanted; nil where no range is.
    public var start: Int? {
      guard let line = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("range: bytes=") })
      else { return nil }
      return Int(line.dropFirst(13).prefix { $0.isNumber })
    }
  }

  /// A step in answering a request.
  public enum Step: Sendable {
    case send([UInt8])
    /// Waits this long before each of the next pieces of 16 KiB; 0: not at all.
    case pace(microseconds: UInt32)
    case stall(seconds: Double)
    case close
  }

  private let listener: LoopbackListener
  private let state = State()

  private final class State: Sendable {
    let requests = Mutex<[Request]>([])
    let sent = Mutex<[Int: Int]>([:])
    let connections = Mutex(0)
  }

  /// Starts a server on a free port.
  ///
  /// - Parameter answer: Gives the steps that a request is answered with; called on the thread of its connection.
  public init(answer: @escaping @Sendable (Request) -> [Step]) throws {
    // Bytes on their way when a client is killed are counted as sent: few of them.
    listener = try LoopbackListener(sendBuffer: 1 << 16)
    let state = state
    listener.serve { connection, number in
      state.connections.withLock { $0 += 1 }
      Self.serve(connection, number, state, answer)
    }
  }

  /// The port that the system chose.
  public var port: UInt16 { listener.port }
  /// The address of the server: `http://127.0.0.1:PORT`.
  public var url: String { listener.url }
  /// The requests so far, in the order in which they came.
  public var requests: [Request] { state.requests.withLock { $0 } }
  /// The number of connections so far.
  public var connections: Int { state.connections.withLock { $0 } }
  /// Bytes that were handed to the system for a request, its head included.
  public func sent(_ number: Int) -> Int { state.sent.withLock { $0[number] ?? 0 } }
  /// The bytes that were handed to the system for all requests, their heads included.
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

  private static func serve(
    _ connection: Int32, _ number: Int, _ state: State, _ answer: @Sendable (Request) -> [Step]
  ) {
    while true {
      let head = LoopbackListener.head(connection)
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

  private static func send(
    _ bytes: [UInt8], _ connection: Int32, _ number: Int, _ pace: UInt32, _ state: State
  ) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      if pace > 0 { usleep(pace) }
      let count = LoopbackListener.send(rest.prefix(1 << 14), connection)
      guard count > 0 else { return false }
      state.sent.withLock { $0[number, default: 0] += count }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
