import Foundation

/// A listening socket on 127.0.0.1, each of whose connections gets a thread of its own; it ends with its owner.
public final class LoopbackListener: Sendable {
  /// The port that the system chose for the socket.
  public let port: UInt16
  private let socket: Int32

  /// - Parameter sendBuffer: Bytes that the system takes from a connection before they are read; its own choice if nil.
  public init(sendBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = Foundation.socket(AF_INET, kind, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    if var size = sendBuffer {
      setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard listener >= 0, isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    socket = listener
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Begins to take connections.
  ///
  /// - Parameter answer: Gets a connection and its number from 0; the connection is closed when it returns.
  public func serve(_ answer: @escaping @Sendable (_ connection: Int32, _ number: Int) -> Void) {
    let listener = socket
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
          answer(connection, mine)
          close(connection)
        }
      }
    }
  }

  /// The address of the listener: `http://127.0.0.1:PORT`.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Reads the head of a request with the empty line behind it; what came of it where the connection ends.
  public static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var one: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]), read(connection, &one, 1) == 1 { bytes.append(one) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sends at most so many bytes as fit, without a signal where the other side is gone.
  ///
  /// - Returns: How many were taken; none or fewer where the connection is over.
  public static func send(_ bytes: ArraySlice<UInt8>, _ connection: Int32) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return bytes.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
