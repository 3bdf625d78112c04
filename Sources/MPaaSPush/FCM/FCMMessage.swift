import MPaaSSupport

/// A message for FCM's HTTP v1 API, the same for each token that it goes to.
///
/// - Source: Firebase, “REST Resource: projects.messages”.
package struct FCMMessage: Sendable, Codable, Equatable {
  package var title: String?
  package var body: String?
  /// The app's own texts.
  package var data: [String: String] = [:]
  /// The name under which a newer message takes the place of an older one on Android.
  package var collapseKey: String?
  /// True to have FCM check the message and send nothing.
  package var isValidatedOnly = false

  package init() {}

  /// Checks the sizes that FCM has limits for: 4096 bytes in all.
  ///
  /// - Throws: `push-payload-too-large`.
  package func check() throws(PushError) {
    let (before, after) = parts
    let count = before.count + after.count
    guard count <= 4096 else { throw PushError(.payloadTooLarge, ["bytes": "\(count)", "limit": "4096"]) }
  }

  /// The JSON of a request in front of the token, a string with its quotes, and behind it.
  package var parts: (before: [UInt8], after: [UInt8]) {
    var members: JSONValue.Object = [:]
    if !data.isEmpty { members["data"] = .object(.init(data.mapValues { JSONValue.string($0) })) }
    var notification: JSONValue.Object = [:]
    if let title { notification["title"] = .string(title) }
    if let body { notification["body"] = .string(body) }
    if !notification.isEmpty { members["notification"] = .object(notification) }
    if let collapseKey { members["android"] = ["collapse_key": .string(collapseKey)] }
    var before = Array("{\"validate_only\":\(isValidatedOnly),\"message\":".utf8)
    JSONValue.object(members).append(to: &before)
    before.removeLast()
    before += (members.isEmpty ? "\"token\":" : ",\"token\":").utf8
    return (before, Array("}}".utf8))
  }
}

extension PushAnswer {
  /// The meaning of an answer of FCM's HTTP v1 API.
  ///
  /// - Source: Firebase, “ErrorCode”.
  package func fcmVerdict(now: Double) -> PushVerdict {
    let object = object
    if status == 200 { return .final(.accepted(id: object?["name"]?.string)) }
    let error = object?["error"]?.object
    let codes = error?["details"]?.array?.lazy.compactMap { $0.object?["errorCode"]?.string }
    let reason = codes?.first ?? error?["status"]?.string ?? "Status\(status)"
    let failure = PushFailure(status: status, reason: reason)
    switch status {
    case 401: return .renew(failure)
    case 429, 503: return .pause(failure, retryAfter: seconds(now: now))
    case 500: return .later(failure, retryAfter: seconds(now: now))
    case 403 where reason == "PERMISSION_DENIED": return .stop(failure)
    default: return .final(.failed(failure))
    }
  }
}
