import MPaaSSupport
import MPaaSTime

extension FlagResponse {
  /// The longest time that a server may ask not to be asked again.
  static let longestWait = TimeSpan.seconds(3600)

  /// The time that the server asks not to be asked again: seconds, or a date.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Source: RFC 9110, 10.2.3.
  func retryAfter(at now: Double) -> TimeSpan? {
    guard let text = headers["retry-after"] else { return nil }
    let seconds: Double
    if let count = UInt32(text) {
      seconds = Double(count)
    } else if let date = HTTPDate.seconds(text) {
      seconds = date - now
    } else {
      return nil
    }
    return min(max(.seconds(seconds), .zero), Self.longestWait)
  }
}
