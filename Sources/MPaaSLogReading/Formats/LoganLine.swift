import MPaaSLogs
import MPaaSSupport

/// A record of Logan: an object with `c` (content), `f` (the app's own number), `l` (milliseconds), `n` and `i` (thread)
/// and `m` (main thread).
enum LoganLine {
  static func record(_ line: UnsafeRawBufferPointer) -> LogRecord? {
    guard let members = (try? JSONValue(reading: line))?.object, let content = members["c"]?.string else { return nil }
    let milliseconds = members["l"]?.integer(Int64.self).flatMap { abs($0) < 9_000_000_000_000 ? $0 : nil }
    var record = LogRecord(
      LogEntry(.info, "", content), time: milliseconds.map { $0 * 1_000_000 },
      thread: members["i"]?.integer() ?? 0)
    if let flag = members["f"] { record.entry.fields.append(LogField("f", LogValue(flag))) }
    if let name = members["n"]?.string { record.entry.fields.append(LogField("thread_name", .text(name))) }
    if let isMain = members["m"]?.bool { record.entry.fields.append(LogField("main", .flag(isMain))) }
    return record
  }
}
