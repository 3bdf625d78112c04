import MPaaSSupport

/// Moments as tables and sentences of these commands show them.
enum MomentText {
  /// A moment, in UTC.
  static func utc(_ seconds: Double) -> String {
    let (date, second) = CivilDate.at(secondsSince1970: Int(max(0, min(seconds, 2e11))))
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(date) \(clock) UTC"
  }
}
