package import MPaaSLogs
import MPaaSSupport

/// The condition on records: every condition must hold, and an empty one always does.
package struct LogQuery: Sendable {
  /// A condition on a field: it is there, or it has this value.
  package struct FieldCondition: Sendable, Equatable {
    package var name: String
    /// `*` stands for anything.
    package var value: String?

    package init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// Nanoseconds since 1970-01-01 UTC: not before.
  package var since: Int64?
  /// Before.
  package var until: Int64?
  /// At least so grave; a record that does not say its level is not.
  package var level: LogLevel?
  /// One of these tags; `*` stands for anything.
  package var tags: [String] = []
  package var subsystems: [String] = []
  package var fields: [FieldCondition] = []
  /// The value of the field that names the user.
  package var user: String?
  package var types: Set<LogType> = []
  package var thread: UInt64?
  package var pattern: LogPattern?
  /// Records without the pattern instead of those with it.
  package var inverts = false
  /// Tells whether files of text may be out of order by more than a minute, so that all of each is read.
  package var isUnordered = false

  /// Tells whether files are read from their ends, for few records.
  var isFromEnd = false
  /// Tells whether only the number of records is wanted.
  var isCounted = false

  package init() {}

  /// The fields that name a user, by what apps call them.
  static let userFields: Set<String> = ["user", "user_id", "userId", "userid", "uid", "account"]

  /// Tells whether more than a pattern is asked for.
  var hasConditions: Bool {
    since != nil || until != nil || level != nil || !tags.isEmpty || !subsystems.isEmpty || !fields.isEmpty
      || user != nil || thread != nil
  }

  /// Tells whether records must be built to be asked.
  var asksFields: Bool { !fields.isEmpty || user != nil || !subsystems.isEmpty }

  func admits(time: Int64?) -> Bool {
    if since == nil, until == nil { return true }
    guard let time else { return false }
    return time >= since ?? .min && time < until ?? .max
  }

  func admits(level found: LogLevel?) -> Bool {
    guard let level else { return true }
    return found.map { $0 >= level } ?? false
  }

  func admits(tag: UnsafeRawBufferPointer) -> Bool {
    tags.isEmpty || tags.contains { Self.matches(tag, glob: $0) }
  }

  /// Tells whether the parts of a record that only it as a whole tells are as wanted.
  func admitsFields(_ entry: LogEntry) -> Bool {
    if !subsystems.isEmpty, !subsystems.contains(where: { Self.matches(entry.subsystem, glob: $0) }) { return false }
    for condition in fields {
      let holds = entry.fields.contains { field in
        field.name == condition.name && condition.value.map { Self.matches(field.value.text, glob: $0) } ?? true
      }
      if !holds { return false }
    }
    guard let user else { return true }
    return entry.fields.contains { Self.userFields.contains($0.name) && Self.matches($0.value.text, glob: user) }
  }

  /// Tells whether a record is wanted, the pattern aside.
  func admits(_ record: LogRecord) -> Bool {
    guard admits(time: record.time), admits(level: record.entry.level) else { return false }
    if let thread, record.thread != thread { return false }
    if !types.isEmpty, !types.contains(record.entry.type) { return false }
    if !tags.isEmpty, !tags.contains(where: { Self.matches(record.entry.tag, glob: $0) }) { return false }
    return admitsFields(record.entry)
  }

  static func matches(_ text: String, glob: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0), glob: glob) }
  }

  /// Tells whether the text is what `glob` says: `*` stands for any bytes, all else for itself.
  static func matches(_ text: UnsafeRawBufferPointer, glob: String) -> Bool {
    var glob = glob
    return glob.withUTF8 { pattern in
      Wildcards.match(pattern, text) {
        $0 == UInt8(ascii: "*")
      } takes: {
        $0 == $1
      }
    }
  }
}
