/// Marks of a record beside its level.
package struct LogRecordFlags: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The clock was set since the record before.
  package static let followsClockJump = LogRecordFlags(rawValue: 1)
  /// The message was cut, since it was larger than a record may be.
  package static let shortened = LogRecordFlags(rawValue: 2)
}
