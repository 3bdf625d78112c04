package import MPaaSLogs
package import MPaaSSupport

/// A record that was found, and where.
package struct LogItem: Sendable {
  package var record: LogRecord
  /// The record's lines as they stand in a file of text, without the last line's end; nil for other files.
  package var text: String?
  /// The same as bytes, where only lines are asked for; `record` has nothing but the time then.
  package var line: Bytes?
  /// The number of its source among all that are read.
  package var source = 0
  /// Counts from 0 through the records of its source, as far as they were looked at.
  package var number = 0
  /// The time that it is put in order by: its own, or that of the record before.
  package var order = Int64.min
  /// Tells whether it is what was asked for, rather than what stands around it.
  package var isMatch = true
  /// Tells whether a level stands there, rather than being taken for granted.
  package var hasLevel = true

  package init(_ record: LogRecord, text: String? = nil) {
    self.record = record
    self.text = text
  }
}
