import Foundation
import MPaaSTestSupport
import Synchronization

/// A receiver of webhooks on 127.0.0.1 that keeps what it gets, and answers as a test says.
final class WebhookDouble: Sendable {
  struct Call: Sendable {
    /// Names in lower case.
    var headers: [String: String] = [:]
    var path = ""
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
  }

  private let listener: LoopbackListener
  private let heard = Mutex<[Call]>([])

  /// - Parameter answer: The status and the body for a call by its number from 0.
  init(_ answer: @escaping @Sendable (_ number: Int) -> (String, String) = { _ in ("200 OK", "{}") }) throws {
    listener = try LoopbackListener()
    let heard = Handle(self)
    listener.serve { connection, number in
      let head = LoopbackListener.head(connection)
      var call = Call()
      let lines = head.components(separatedBy: "\r\n")
      call.path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = line[line.index(after: colon)...]
        call.headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
      }
      let size = call.headers["content-length"].flatMap(Int.init) ?? 0
      var piece = [UInt8](repeating: 0, count: 4096)
      while call.body.count < size {
        let count = read(connection, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        call.body += piece.prefix(count)
      }
      heard.server?.heard.withLock { $0.append(call) }
      let (status, body) = answer(number)
      let bytes = LoopbackServer.answer(status, body: Array(body.utf8))
      _ = LoopbackListener.send(bytes[...], connection)
    }
  }

  var url: String { listener.url }
  var calls: [Call] { heard.withLock { $0 } }

  private final class Handle: @unchecked Sendable {
    weak var server: WebhookDouble?
    init(_ server: WebhookDouble) { self.server = server }
  }
}
