import MPaaSLock
package import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHPACK

/// A single request over a connection of its own.
package struct SingleExchange: PushProvider {
  private let method: String
  private let path: String
  private let fields: [(name: String, value: String)]
  private let content: ByteBuffer
  private let answer = Answer()

  /// A place for the answer.
  private final class Answer: Sendable {
    let value = Lock(PushAnswer())
  }

  package init(_ method: String, _ path: String, fields: [(name: String, value: String)], body: [UInt8]) {
    self.method = method
    self.path = path
    self.fields = fields
    content = ByteBuffer(bytes: body)
  }

  static func post(
    _ body: String, type: String, to address: PushAddress, trust: PushTrust
  ) async throws(PushError) -> PushAnswer {
    try await SingleExchange("POST", address.path, fields: [("content-type", type)], body: Array(body.utf8))
      .answer(from: address, trust: trust)
  }

  /// Sends the request once.
  ///
  /// - Throws: `push-unreachable`, where there is no answer, too.
  package func answer(from address: PushAddress, trust: PushTrust) async throws(PushError) -> PushAnswer {
    var once = PushBackoff()
    once.attempts = 1
    let queue = PushQueue(
      [PushJob(number: 0, token: "")], rate: nil, backoff: once, jitter: { 0 }, each: { _ in })
    _ = try await PushConnector(address: address, trust: trust).connect(queue, self, limits: .init())
    await queue.finished()
    let answer = answer.value.withLock { $0 }
    guard answer.status > 0 else {
      throw PushError(.unreachable, ["address": address.authority, "reason": "no answer"])
    }
    return answer
  }

  func head(for job: PushJob, authority: String) -> HPACKHeaders {
    var head: HPACKHeaders = [":method": method, ":scheme": "https", ":authority": authority, ":path": path]
    for (name, value) in fields { head.add(name: name, value: value) }
    return head
  }

  func body(for job: PushJob) -> ByteBuffer { content }

  func verdict(on answer: PushAnswer) -> PushVerdict {
    self.answer.value.withLock { $0 = answer }
    return .final(.accepted(id: answer.id))
  }

  func renew() {}
}
