import MPaaSCrashReport
import MPaaSSupport

/// A question about the health of releases: the time, and which of them.
package struct HealthQuery: Sendable, Equatable {
  /// The key of the app; nil for all.
  package var app: String?
  /// Seconds since 1970, at the beginning of an hour, or of a minute where the interval is one.
  package var from: Int64
  /// The first second behind the time.
  package var to: Int64
  package var release: String?
  package var environment: String?
  package var interval: HealthInterval?

  /// Seconds that a question without `from` is about.
  static let usual: Int64 = 30 * 86_400
  /// The most points in time of an answer.
  static let mostPoints: Int64 = 4_000

  package init(
    app: String?, from: Int64, to: Int64, release: String? = nil, environment: String? = nil,
    interval: HealthInterval? = nil
  ) {
    self.app = app
    self.release = release
    self.environment = environment
    self.interval = interval
    let step = interval == .minute ? HealthInterval.minute : .hour
    self.from = step.start(of: from)
    self.to = step.end(of: to)
  }

  /// Reads the parameters of an address.
  ///
  /// - Parameters:
  ///   - parameter: The value of a name; nil where there is none.
  ///   - usual: Seconds that it is about where `from` is left out.
  /// - Throws: `ServerError` `health-time`, `health-range`, `health-interval`.
  package init(
    app: String?, now: Double, usual: Int64 = Self.usual, _ parameter: (String) -> String?
  ) throws(ServerError) {
    let interval = try Self.interval(parameter("interval") ?? "")
    let to = try Self.time("to", parameter) ?? Int64(now) + 1
    var from = try Self.time("from", parameter) ?? to - usual
    guard from < to else { throw ServerError(.healthRange, ["from": String(from), "to": String(to)]) }
    // Of times that long ago days are all that is left.
    if from < Int64(now) - HealthInterval.hour.memory { from = HealthInterval.day.start(of: from) }
    self.init(
      app: app, from: from, to: to, release: parameter("release").flatMap { $0.isEmpty ? nil : $0 },
      environment: parameter("environment").flatMap { $0.isEmpty ? nil : $0 },
      interval: interval)
    guard let interval, (self.to - self.from) / interval.width > Self.mostPoints else { return }
    throw ServerError(.healthRange, ["from": String(from), "to": String(to)])
  }

  private static func interval(_ text: String) throws(ServerError) -> HealthInterval? {
    if text.isEmpty { return nil }
    guard let interval = HealthInterval(rawValue: text) ?? ["1m": .minute, "1h": .hour, "1d": .day][text] else {
      throw ServerError(.healthInterval, ["interval": text])
    }
    return interval
  }

  /// A time: seconds since 1970, a day, or a date and time of ISO 8601.
  private static func time(_ name: String, _ parameter: (String) -> String?) throws(ServerError) -> Int64? {
    guard let text = parameter(name), !text.isEmpty else { return nil }
    // Years 1900 to 9999.
    let range = -2_208_988_800.0...253_402_300_799.0
    if let seconds = Double(text), range.contains(seconds) { return Int64(seconds) }
    // An address has a space where a sign of an offset was not escaped.
    let plain = text.count > 19 ? text.replacing(each: " ", with: "+") : text
    for text in [plain, text, "\(text) 00:00:00", "\(text):00"] {
      if let time = CrashReport.Timestamp(text), range.contains(Double(time.seconds)) { return time.seconds }
    }
    throw ServerError(.healthTime, ["parameter": name, "value": text])
  }
}
