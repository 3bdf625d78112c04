import Foundation
import Synchronization

/// A server on 127.0.0.1 that answers each connection with the bytes that a test says, then closes it.
///
/// It ends with its owner.
public final class LoopbackServer: Sendable {
  public let port: UInt16
  private let socket: Int32
  private let heard = Mutex<[String]>([])

  /// - Parameter answer: Gets a request's head and its number from 0; nil closes without a word after a second.
  public init(answer: @escaping @Sendable (_ head: String, _ number: Int) -> [UInt8]?) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = Foundation.socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard listener >= 0, isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    socket = listener
    port = UInt16(bigEndian: address.sin_port)
    let heard = Handle(self)
    Thread.detachNewThread {
      var number = 0
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Only who waits on the socket closes it: its number may be another server's right after.
          close(listener)
          return
        }
        let mine = number
        number += 1
        Thread.detachNewThread {
          let head = Self.head(connection)
          heard.server?.heard.withLock { $0.append(head) }
          if let bytes = answer(head, mine) { Self.send(bytes, connection) } else { sleep(1) }
          close(connection)
        }
      }
    }
  }

  public var url: String { "http://127.0.0.1:\(port)" }

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

  private static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var one: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]), read(connection, &one, 1) == 1 { bytes.append(one) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func send(_ bytes: [UInt8], _ connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
