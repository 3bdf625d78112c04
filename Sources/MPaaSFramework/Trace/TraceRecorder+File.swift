import MPaaSTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TraceRecorder {
  /// The trace as a document of Chrome's trace-event format, which Perfetto and speedscope open too.
  ///
  /// A span is a complete event (`ph` `X`) with its times in microseconds; `args` hold the number, the parent's number,
  /// the subject, the phase, the line and the error. Spans that go on are written as far as they came.
  /// - Source: "Trace Event Format", the JSON Object Format.
  public func document() -> [UInt8] {
    let now = clock.now()
    let spans = self.spans
    var text = #"{"displayTimeUnit":"ns","otherData":{"writer":"MPaaSFramework","version":1,"dropped":\#(dropped)},"#
    text += #""traceEvents":[{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"#
    Self.write(ProcessInfo.processInfo.processName, to: &text)
    text += "}}"
    for thread in Set(spans.map(\.thread)).sorted() {
      let name = thread == 1 ? "main" : "thread \(thread)"
      text += ",\n" + #"{"name":"thread_name","ph":"M","pid":1,"tid":\#(thread),"args":{"name":"\#(name)"}}"#
    }
    for span in spans {
      text += ",\n"
      Self.write(span, now: now, to: &text)
    }
    text += "]}\n"
    return Array(text.utf8)
  }

  /// Writes the trace to a file, whole or not at all.
  ///
  /// - Throws: What Foundation says of the file.
  public func write(to path: String) throws {
    try Data(document()).write(to: URL(fileURLWithPath: path, isDirectory: false), options: .atomic)
  }

  /// Writes the trace to the file that it is for, if any.
  ///
  /// - Returns: False where the file cannot be written: tracing must not end an app.
  @discardableResult
  public func flush() -> Bool {
    guard let output else { return true }
    do {
      try write(to: output)
      return true
    } catch {
      return false
    }
  }

  private static func write(_ span: TraceSpan, now: TimeSpan, to text: inout String) {
    let subject = span.subject
    text += #"{"name":"#
    write(span.phase.isEmpty ? subject : "\(subject) \(span.phase)", to: &text)
    text += #","cat":"\#(span.kind.rawValue)","ph":"X","pid":1,"tid":\#(span.thread),"ts":"#
    text += microseconds(span.start) + #","dur":"# + microseconds(span.duration ?? now - span.start)
    text += #","args":{"id":\#(span.id)"#
    if let parent = span.parent { text += #","parent":\#(parent)"# }
    text += #","subject":"#
    write(subject, to: &text)
    text += #","phase":"#
    write(span.phase, to: &text)
    if let place = span.place {
      text += #","place":"#
      write(place.description, to: &text)
    }
    if let error = span.error {
      text += #","error":"#
      write(error, to: &text)
    }
    if span.duration == nil { text += #","unfinished":true"# }
    text += "}}"
  }

  /// With three decimals: nanoseconds.
  private static func microseconds(_ duration: TimeSpan) -> String {
    let nanoseconds = max(0, duration.nanoseconds)
    let rest = String(nanoseconds % 1000)
    return "\(nanoseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// A JSON string (RFC 8259, section 7).
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\u{0}"..<" ":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
