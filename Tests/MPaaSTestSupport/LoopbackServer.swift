import Foundation
import Synchronization

/// A server on 127.0.0.1 that answers each connection with the bytes that a test says, then closes it.
///
/// It ends with its owner.
public final class LoopbackServer: Sendable {
  private let listener: LoopbackListener
  private let heard = Mutex<[String]>([])

  /// - Parameter answer: Gets a request's head and its number from 0; nil closes without a word after a second.
  public init(answer: @escaping @Sendable (_ head: String, _ number: Int) -> [UInt8]?) throws {
    listener = try LoopbackListener()
    let heard = Handle(self)
    listener.serve { connection, number in
      let head = LoopbackListener.head(connection)
      heard.server?.heard.withLock { $0.append(head) }
      if let bytes = answer(head, number) { Self.send(bytes, connection) } else { sleep(1) }
    }
  }

  /// The port that the system chose.
  public var port: UInt16 { listener.port }
  /// The address of the server: `http://127.0.0.1:PORT`.
  public var url: String { listener.url }

  /// The heads of all requests so far.
  public var requests: [String] { heard.withLock { $0 } }

  /// A whole answer.
  public static func answer(_ status: String, headers: [String] = [], body: [UInt8] = []) -> [UInt8] {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  private final class Handle: @unchecked Sendable {
    weak var server: LoopbackServer?
    init(_ server: LoopbackServer) { self.server = server }
  }

  private static func send(_ bytes: [UInt8], _ connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = LoopbackListener.send(rest, connection)
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
