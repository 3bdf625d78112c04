import MPaaSSupport

/// A notification for APNs, the same for each token that it goes to.
package struct APNsNotification: Sendable, Codable, Equatable {
  /// JSON in UTF-8.
  package var payload: String
  /// The bundle identifier of the app, with the ending that some types want.
  package var topic: String
  package var type = APNsPushType.alert
  /// 10 at once, 5 as the battery allows, 1 without waking the device; nil for the server's choice.
  package var priority: Int?
  /// The second since 1970 until which APNs keeps trying; 0 for one attempt, nil for the server's choice.
  package var expiration: UInt64?
  /// The name under which a newer notification takes the place of an older one.
  package var collapseID: String?

  package init(payload: String, topic: String) {
    self.payload = payload
    self.topic = topic
  }

  /// Checks all that APNs would refuse without a look at the token.
  ///
  /// - Throws: `push-payload-malformed`, `push-payload-too-large` and `push-header`.
  package func check() throws(PushError) {
    let value: JSONValue
    do throws(JSONError) {
      let bytes = Bytes(Array(payload.utf8))
      value = try withExtendedLifetime(bytes) { () throws(JSONError) in
        try JSONValue(reading: bytes.buffer, by: .exact)
      }
    } catch {
      throw PushError(.payloadMalformed, ["reason": error.code.rawValue])
    }
    guard value.object != nil else { throw PushError(.payloadMalformed, ["reason": value.kind]) }
    let count = payload.utf8.count
    guard count <= type.payloadLimit else {
      throw PushError(.payloadTooLarge, ["bytes": "\(count)", "limit": "\(type.payloadLimit)"])
    }
    try checkHeaders()
  }

  private func checkHeaders() throws(PushError) {
    guard !topic.isEmpty, topic.isHeaderText else { throw Self.wrong("apns-topic", topic) }
    if let priority, ![1, 5, 10].contains(priority) { throw Self.wrong("apns-priority", "\(priority)") }
    if type == .background, priority == 10 { throw Self.wrong("apns-priority", "10") }
    if let collapseID, collapseID.isEmpty || collapseID.utf8.count > 64 || !collapseID.isHeaderText {
      throw Self.wrong("apns-collapse-id", collapseID)
    }
  }

  private static func wrong(_ name: String, _ value: String) -> PushError {
    PushError(.header, ["name": name, "value": value])
  }
}

extension String {
  /// Tells whether the text can stand in a header: printable ASCII, which is all that APNs takes there.
  package var isHeaderText: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
