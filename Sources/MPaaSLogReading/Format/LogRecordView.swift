package import MPaaSLogs

/// A record of a decoded block, without a copy: its texts are places in the buffer that decoded it.
package struct LogRecordView: Sendable, Hashable {
  package var sequence: UInt64
  /// Nanoseconds since 1970, to the microsecond.
  package var time: Int64
  package var monotonic: UInt64
  package var thread: UInt64
  /// The offset of the message; the fields follow it.
  var start: UInt32
  var messageSize: UInt32
  var fieldsSize: UInt32
  /// The number of its tag and subsystem in the buffer.
  package var label: UInt32
  /// The raw value of its level: 5 where the file says something higher.
  package var levelNumber: UInt8
  /// The raw value of its flags.
  package var flagBits: UInt8

  package var flags: LogRecordFlags { LogRecordFlags(rawValue: flagBits) }
  package var level: LogLevel { LogLevel(rawValue: min(levelNumber, 5)) ?? .fatal }
  /// The message in the buffer.
  package var message: Range<Int> { Int(start)..<Int(start) + Int(messageSize) }
  /// The encoded fields in the buffer.
  package var fields: Range<Int> { message.upperBound..<message.upperBound + Int(fieldsSize) }
}

/// A tag and a subsystem, as places in a buffer.
package struct LogLabel: Sendable, Hashable {
  package let tag: Range<Int>
  package let subsystem: Range<Int>
}
