import MPaaSSupport

/// An hour of the calendar in UTC, which names a file: `2026-11-22/23`.
package struct LogHour: Sendable, Hashable, Comparable {
  package static let length: Int64 = 3_600_000_000_000

  /// Hours since 1970.
  package let number: Int64

  package init(number: Int64) {
    self.number = number
  }

  /// The hour of a time in nanoseconds since 1970.
  package init(_ time: Int64) {
    let quotient = time / Self.length
    number = time % Self.length < 0 ? quotient - 1 : quotient
  }

  package static func < (left: LogHour, right: LogHour) -> Bool { left.number < right.number }

  /// The times of the hour; cut where they pass what can be told.
  package var range: Range<Int64> {
    let start = number.multipliedReportingOverflow(by: Self.length)
    guard !start.overflow else { return number < 0 ? .min ..< .min + Self.length : (.max - Self.length)..<(.max) }
    let end = start.partialValue.addingReportingOverflow(Self.length)
    return start.partialValue..<(end.overflow ? .max : end.partialValue)
  }

  private var day: Int64 { number >= 0 ? number / 24 : (number - 23) / 24 }
  private var hour: Int64 { number - day * 24 }

  /// `2026-11-22`.
  package var folder: String { CivilDate(daysSince1970: Int(day)).description }

  /// `23`.
  package var name: String { hour.padded(to: 2) }
}
