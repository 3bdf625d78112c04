package import MPaaSSupport

/// An answer of a provider as it came.
package struct PushAnswer: Sendable {
  package var status = 0
  package var id: String?
  package var retryAfter: String?
  package var body: [UInt8] = []

  package init() {}

  /// The JSON object of the body; nil where there is none.
  package var object: JSONValue.Object? {
    guard !body.isEmpty else { return nil }
    return (try? body.withUnsafeBytes { try JSONValue(reading: $0) })?.object
  }

  /// Seconds until the provider wants to be asked again: of `Retry-After` in either form, up to a day.
  package func seconds(now: Double) -> Double? {
    guard let retryAfter else { return nil }
    let seconds = UInt32(retryAfter).map(Double.init) ?? HTTPDate.seconds(retryAfter).map { $0 - now }
    return seconds.map { min(max($0, 0), 86_400) }
  }
}

extension PushAnswer {
  /// The meaning of an answer of APNs.
  ///
  /// - Source: Apple, “Handling notification responses from APNs”: only 429, 500 and 503 may be tried again.
  package func apnsVerdict(now: Double) -> PushVerdict {
    if status == 200 { return .final(.accepted(id: id)) }
    let object = object
    let failure = PushFailure(
      status: status, reason: object?["reason"]?.string ?? "Status\(status)",
      timestamp: object?["timestamp"]?.integer(UInt64.self))
    let reason = APNsReason(rawValue: failure.reason)
    switch status {
    case 429 where reason != .tooManyProviderTokenUpdates, 500:
      return .later(failure, retryAfter: seconds(now: now))
    case 429, 503: return .pause(failure, retryAfter: seconds(now: now))
    case 403 where reason == .expiredProviderToken: return .renew(failure)
    case 403 where reason?.concernsKey == true: return .stop(failure)
    default: return .final(.failed(failure))
    }
  }
}
