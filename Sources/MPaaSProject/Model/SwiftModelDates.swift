/// The part of the support that knows dates.
enum SwiftModelDates {
  static let source = #"""
    /// A date with a time, and how it was written, so that writing it again changes nothing.
    public struct JSONDateTime: JSONConvertible, Codable, CustomStringConvertible {
      /// By RFC 3339: `2026-03-01T12:30:00+02:00`.
      public let text: String
      public let date: Date

      /// - Returns: nil where the text is no date with a time.
      public init?(_ text: String) {
        guard let seconds = JSONFormat.dateTime(text) else { return nil }
        self.text = text
        date = Date(timeIntervalSince1970: seconds)
      }

      /// Writes the date in UTC, with milliseconds where it has any.
      public init(_ date: Date) {
        self.date = date
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let (days, rest) = (Int((Double(milliseconds) / 86_400_000).rounded(.down)), 86_400_000)
        let time = milliseconds - days * rest
        let (year, month, day) = Self.day(days)
        func digits(_ number: Int, _ width: Int) -> String {
          String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        text =
          "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
          + "\(digits(time / 3_600_000, 2)):\(digits(time / 60_000 % 60, 2)):\(digits(time / 1000 % 60, 2))"
          + (time % 1000 == 0 ? "" : ".\(digits(time % 1000, 3))") + "Z"
      }

      /// The day that lies so many days after 1 January 1970.
      private static func day(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
          year + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
          dayOfYear - (153 * month + 2) / 5 + 1
        )
      }

      public init(jsonValue json: JSONValue) throws {
        guard case .string(let text) = json, let value = Self(text) else {
          throw JSONProblem("must be a date with a time")
        }
        self = value
      }

      public init(from decoder: any Decoder) throws {
        try self.init(jsonValue: .string(String(from: decoder)))
      }

      public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
      public var jsonValue: JSONValue { .string(text) }
      public var description: String { text }
    }

    extension Date: JSONConvertible {
      public init(jsonValue json: JSONValue) throws { self = try JSONDateTime(jsonValue: json).date }
      public var jsonValue: JSONValue { .string(JSONDateTime(self).text) }
    }

    /// A day of the calendar: `2026-03-01`.
    public struct JSONDate: JSONConvertible, Codable, CustomStringConvertible {
      public let text: String
      public let year: Int
      public let month: Int
      public let day: Int

      /// - Returns: nil where the text is no day.
      public init?(_ text: String) {
        guard let (year, month, day) = JSONFormat.day(text[...]) else { return nil }
        self.text = text
        (self.year, self.month, self.day) = (year, month, day)
      }

      public init(jsonValue json: JSONValue) throws {
        guard case .string(let text) = json, let value = Self(text) else {
          throw JSONProblem("must be a date")
        }
        self = value
      }

      public init(from decoder: any Decoder) throws {
        try self.init(jsonValue: .string(String(from: decoder)))
      }

      public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
      public var jsonValue: JSONValue { .string(text) }
      public var description: String { text }
    }

    """#
}
