package import MPaaSSupport

/// The errors of trace files.
package enum TraceDomain {}
/// The reason why a file is not the trace that it should be.
package typealias TraceError = CodedError<TraceDomain>

extension CodedError.Code where Domain == TraceDomain {
  static var notJSON: Self { malformed("trace-not-json") }
  static var noEvents: Self { malformed("trace-no-events") }
  static var eventMalformed: Self { malformed("trace-event-malformed") }
}

/// Something that began, took its time and ended, as a trace file tells it.
package struct TracedSpan: Sendable, Equatable {
  /// The object of the span: a module, a service, an event.
  package var subject: String
  /// The action: `set-up`, `create`; empty where the kind says all.
  package var phase: String
  /// `module`, `service`, `phase`; in files of other programs their category.
  package var kind: String
  /// Nanoseconds since the recorder was made.
  package var start: Int64
  package var duration: Int64
  package var process: Int64
  package var thread: Int64
  /// Positions in `TraceFile.spans`.
  package var parent: Int?
  /// The line that registered the subject.
  package var place: String?
  package var error: String?
  /// Tells whether it went on when the file was written.
  package var isUnfinished: Bool

  package var end: Int64 { start + duration }
  /// As the flame graph has it.
  package var name: String { phase.isEmpty ? subject : "\(subject) \(phase)" }
}

/// A trace of Chrome's trace-event format, as `TraceRecorder` of MPaaSFramework writes it, or another program.
///
/// Read are complete events (`X`), pairs of begin and end (`B`, `E`) and the names of processes and threads (`M`); all
/// others are left out. Both forms of the format are read: an object with `traceEvents`, and the array alone.
/// - Source: "Trace Event Format", JSON Array Format and JSON Object Format.
package struct TraceFile: Sendable, Equatable {
  /// The file's name in errors and tables.
  package let file: String
  package let process: String?
  /// By their begin; of those that begin together the longest first.
  package let spans: [TracedSpan]
  /// The number of spans that the recorder did not keep.
  package let dropped: Int
  /// By their numbers.
  package let threads: [Int64: String]

  /// From the first begin to the last end, in nanoseconds.
  package var total: Int64 { (spans.map(\.end).max() ?? 0) - (spans.first?.start ?? 0) }

  /// The start of the framework as a whole; the longest of several, nil in traces of other programs.
  package var launch: TracedSpan? {
    spans.filter { $0.kind == "framework" && $0.parent == nil }.max { $0.duration < $1.duration }
  }

  /// Reads the bytes of a trace file.
  ///
  /// - Throws: `trace-not-json` with line and column, `trace-no-events`, `trace-event-malformed` with the number of the
  ///   event, from 1, and the field.
  package init(_ bytes: UnsafeRawBufferPointer, file: String) throws(TraceError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(reading: bytes)
    } catch {
      throw TraceError(
        .notJSON, ["file": file], at: .text(file: file, line: error.line, column: error.column))
    }
    guard let events = document.array ?? document.object?["traceEvents"]?.array else {
      throw TraceError(.noEvents, ["file": file, "found": document.kind], at: .file(file))
    }
    var reading = TraceReading(file: file)
    for (index, event) in events.enumerated() { try reading.take(event, number: index + 1) }
    reading.finish()
    self.file = file
    spans = reading.linked()
    process = reading.process
    threads = reading.threads
    dropped = document.object?["otherData"]?.object?["dropped"]?.integer() ?? 0
  }
}
