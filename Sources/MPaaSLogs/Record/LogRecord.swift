/// The value of a field of a record.
public enum LogValue: Sendable, Hashable {
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A truth value.
  case flag(Bool)
}

/// A named value beside a record's message.
public struct LogField: Sendable, Hashable {
  /// The name of the field.
  public var name: String
  /// The value of the field.
  public var value: LogValue

  /// Makes a field from its name and its value.
  public init(_ name: String, _ value: LogValue) {
    self.name = name
    self.value = value
  }
}

/// The content of a record: the writer adds time, sequence and thread.
public struct LogEntry: Sendable, Hashable {
  /// The type of the record, which chooses the files that it is written to.
  public var type: LogType
  /// The level of the record.
  public var level: LogLevel
  /// The tag of the record, such as the name of a part of the code: `Pay`.
  public var tag: String
  /// The part of the app that logged the record; empty for none.
  public var subsystem: String
  /// The message of the record, with private values replaced.
  public var message: String
  /// The named values beside the message, in their order.
  public var fields: [LogField]

  /// Makes an entry: a diagnostic one without subsystem and fields, unless they are given.
  public init(
    _ level: LogLevel, _ tag: String, _ message: String, type: LogType = .diagnostic, subsystem: String = "",
    fields: [LogField] = []
  ) {
    self.type = type
    self.level = level
    self.tag = tag
    self.subsystem = subsystem
    self.message = message
    self.fields = fields
  }
}

/// A record as it is read from a file.
public struct LogRecord: Sendable, Hashable {
  /// The level, the tag, the message and the fields of the record.
  public var entry: LogEntry
  /// Counts up by one over all records of a writer's folder and type; 0 where the file's format has none.
  public var sequence: UInt64
  /// Nanoseconds since 1970-01-01 UTC by the device's clock; nil where the format has none.
  public var time: Int64?
  /// Nanoseconds since the device started, which no change of the clock moves; nil where the format has none.
  public var monotonic: UInt64?
  /// The system's number of the thread; 0 where the format has none.
  public var thread: UInt64
  /// Tells starts of the device apart; 0 where the format has none.
  public var boot: UInt64
  /// Tells whether the clock was set since the record before.
  public var followsClockJump: Bool

  /// Makes a record; what is not given is what a format without it has: 0, false or nil.
  public init(
    _ entry: LogEntry, sequence: UInt64 = 0, time: Int64?, monotonic: UInt64? = nil, thread: UInt64 = 0,
    boot: UInt64 = 0, followsClockJump: Bool = false
  ) {
    self.entry = entry
    self.sequence = sequence
    self.time = time
    self.monotonic = monotonic
    self.thread = thread
    self.boot = boot
    self.followsClockJump = followsClockJump
  }
}

/// Takes entries: a writer of files, or what tests put in its place.
public protocol LogSink: Sendable {
  /// Takes an entry: when it returns, the end of the process no longer loses it. It never throws and never waits for a
  /// disk.
  func append(_ entry: LogEntry)
  /// Returns when all that was appended survives loss of power too.
  func flush()
}
