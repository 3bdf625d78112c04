import ServingKit

/// A real network that is measured for some time, or until the program is told to end.
package struct LinkMeasurement: ServedWork {
  package static let name = "measurement"

  /// `host:port` or a URL.
  package let target: String
  package let interval: Duration
  package let length: Duration
  package let record: TimelineRecord

  package init(target: String, interval: Duration, length: Duration, record: TimelineRecord) {
    self.target = target
    self.interval = interval
    self.length = length
    self.record = record
  }
}
