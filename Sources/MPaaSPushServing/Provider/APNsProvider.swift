package import MPaaSPush
import NIOCore
import NIOHPACK

/// Requests to APNs.
package struct APNsProvider: PushProvider {
  private struct Prepared {
    let fields: [(name: String, value: String)]
    let body: ByteBuffer
  }

  private let prepared: [Prepared]
  private let tokens: ProviderTokens
  private let now: @Sendable () -> Double
  /// The first half of all IDs, with the version and the variant of random UUIDs.
  private let identifier: (UInt64, UInt64)

  /// - Parameters:
  ///   - notifications: What jobs send, which name them by their places.
  ///   - now: Seconds since 1970.
  /// - Throws: `push-payload-malformed`, `push-payload-too-large` and `push-header`.
  package init(
    _ notifications: [APNsNotification], tokens: ProviderTokens, now: @escaping @Sendable () -> Double
  ) throws(PushError) {
    for notification in notifications { try notification.check() }
    prepared = notifications.map { Prepared(fields: Self.fields($0), body: ByteBuffer(string: $0.payload)) }
    self.tokens = tokens
    self.now = now
    identifier = (
      UInt64.random(in: 0 ... .max) & ~0xf000 | 0x4000, UInt64.random(in: 0 ... .max) >> 2 | 0x8000 << 48
    )
  }

  private static func fields(_ notification: APNsNotification) -> [(name: String, value: String)] {
    var fields = [("apns-topic", notification.topic), ("apns-push-type", notification.type.rawValue)]
    if let priority = notification.priority { fields.append(("apns-priority", "\(priority)")) }
    if let expiration = notification.expiration { fields.append(("apns-expiration", "\(expiration)")) }
    if let id = notification.collapseID { fields.append(("apns-collapse-id", id)) }
    return fields
  }

  func head(for job: PushJob, authority: String) throws(PushError) -> HPACKHeaders {
    let prepared = prepared[job.notification]
    var head = HPACKHeaders()
    head.reserveCapacity(prepared.fields.count + 6)
    head.add(name: ":method", value: "POST")
    head.add(name: ":scheme", value: "https")
    head.add(name: ":authority", value: authority)
    // Paths and IDs differ each time: in the table they would only take the place of what stays.
    head.add(name: ":path", value: "/3/device/" + job.token, indexing: .nonIndexable)
    head.add(name: "authorization", value: try tokens.authorization())
    head.add(name: "apns-id", value: id(of: job), indexing: .nonIndexable)
    for (name, value) in prepared.fields { head.add(name: name, value: value) }
    return head
  }

  func body(for job: PushJob) -> ByteBuffer { prepared[job.notification].body }

  /// The UUID of a job, the same at each attempt.
  package func id(of job: PushJob) -> String {
    // 48 bits are enough for the jobs of a sender, and leave the variant alone.
    let low = identifier.1 ^ UInt64(truncatingIfNeeded: job.number) & 0xffff_ffff_ffff
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for index in 0..<32 {
        if [8, 12, 16, 20].contains(index) {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = index < 16 ? identifier.0 : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index & 15))) & 15
        text[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
        place += 1
      }
      return 36
    }
  }

  func verdict(on answer: PushAnswer) -> PushVerdict { answer.apnsVerdict(now: now()) }

  func renew() throws(PushError) { try tokens.renew() }
}
