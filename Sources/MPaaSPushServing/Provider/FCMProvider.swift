import MPaaSLock
package import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOHPACK

/// Requests to FCM's HTTP v1 API.
package struct FCMProvider: PushProvider {
  private struct Prepared {
    let before: ByteBuffer
    let after: ByteBuffer
  }

  private let prepared: [Prepared]
  private let access: FCMAccess
  private let path: String
  private let now: @Sendable () -> Double

  /// - Parameters:
  ///   - messages: What jobs send, which name them by their places.
  ///   - now: Seconds since 1970.
  /// - Throws: `push-payload-too-large`.
  package init(
    _ messages: [FCMMessage], access: FCMAccess, now: @escaping @Sendable () -> Double
  ) throws(PushError) {
    for message in messages { try message.check() }
    prepared = messages.map { message in
      let (before, after) = message.parts
      return Prepared(before: ByteBuffer(bytes: before), after: ByteBuffer(bytes: after))
    }
    self.access = access
    path = "/v1/projects/\(access.account.project)/messages:send"
    self.now = now
  }

  func head(for job: PushJob, authority: String) throws(PushError) -> HPACKHeaders {
    var head = HPACKHeaders()
    head.reserveCapacity(7)
    head.add(name: ":method", value: "POST")
    head.add(name: ":scheme", value: "https")
    head.add(name: ":authority", value: authority)
    head.add(name: ":path", value: path)
    head.add(name: "authorization", value: access.authorization)
    head.add(name: "content-type", value: "application/json")
    return head
  }

  func body(for job: PushJob) -> ByteBuffer {
    let prepared = prepared[job.notification]
    var token: [UInt8] = []
    JSONValue.append(job.token, to: &token)
    var body = prepared.before
    body.writeBytes(token)
    body.writeImmutableBuffer(prepared.after)
    return body
  }

  func verdict(on answer: PushAnswer) -> PushVerdict { answer.fcmVerdict(now: now()) }

  func renew() async throws(PushError) { try await access.renew() }
}
