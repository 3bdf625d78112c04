import MPaaSSupport

/// Goes through the events of a trace once, in the order of the file.
struct TraceReading {
  let file: String
  private(set) var process: String?
  private(set) var threads: [Int64: String] = [:]
  private var spans: [(span: TracedSpan, id: Int64?, parent: Int64?)] = []
  /// Positions of spans that have begun (`B`), by process and thread.
  private var open: [Lane: [Int]] = [:]
  private var latest: Int64 = 0

  private struct Lane: Hashable {
    let process: Int64
    let thread: Int64
  }

  init(file: String) {
    self.file = file
  }

  mutating func take(_ event: JSONValue, number: Int) throws(TraceError) {
    guard let event = event.object else { throw malformed(number, "traceEvents[\(number - 1)]") }
    guard let phase = event["ph"]?.string else { throw malformed(number, "ph") }
    let lane = Lane(process: event["pid"]?.integer() ?? 0, thread: event["tid"]?.integer() ?? 0)
    switch phase {
    case "M": name(event, lane)
    case "X":
      let start = try nanoseconds(event, "ts", number)
      let duration = try nanoseconds(event, "dur", number)
      guard duration >= 0 else { throw malformed(number, "dur") }
      try append(event, lane, start, duration, number)
    case "B":
      open[lane, default: []].append(spans.count)
      try append(event, lane, try nanoseconds(event, "ts", number), -1, number)
    case "E":
      let end = try nanoseconds(event, "ts", number)
      guard let begun = open[lane]?.popLast() else { return }
      guard end >= spans[begun].span.start else { throw malformed(number, "ts") }
      spans[begun].span.duration = end - spans[begun].span.start
      latest = max(latest, end)
    default: break
    }
  }

  /// Ends the spans that have no end in the file.
  mutating func finish() {
    for begun in open.values.joined() {
      spans[begun].span.duration = max(0, latest - spans[begun].span.start)
      spans[begun].span.isUnfinished = true
    }
  }

  /// The spans by their begin, with the positions of those that they began in.
  ///
  /// A parent is what the file names, as long as it begins no later; else the nearest span of the thread that holds it.
  func linked() -> [TracedSpan] {
    let ordered = spans.sorted { left, right in
      if left.span.start != right.span.start { return left.span.start < right.span.start }
      if left.span.duration != right.span.duration { return left.span.duration > right.span.duration }
      return left.id ?? .max < right.id ?? .max
    }
    var positions: [Int64: Int] = [:]
    var stacks: [Lane: [Int]] = [:]
    var linked: [TracedSpan] = []
    for (span, id, parent) in ordered {
      var span = span
      let lane = Lane(process: span.process, thread: span.thread)
      while let top = stacks[lane]?.last, linked[top].end <= span.start, linked[top].end < span.end {
        stacks[lane]?.removeLast()
      }
      let holder = stacks[lane]?.last { linked[$0].end >= span.end }
      // Only what came before is looked up, so that spans cannot be each other's parents.
      span.parent = id == nil ? holder : parent.flatMap { positions[$0] }
      if let id, positions[id] == nil { positions[id] = linked.count }
      stacks[lane, default: []].append(linked.count)
      linked.append(span)
    }
    return linked
  }

  private mutating func name(_ event: JSONValue.Object, _ lane: Lane) {
    guard let name = event["args"]?.object?["name"]?.string else { return }
    if event["name"]?.string == "process_name" { process = process ?? name }
    if event["name"]?.string == "thread_name" { threads[lane.thread] = name }
  }

  private mutating func append(
    _ event: JSONValue.Object, _ lane: Lane, _ start: Int64, _ duration: Int64, _ number: Int
  ) throws(TraceError) {
    guard let name = event["name"]?.string else { throw malformed(number, "name") }
    let values = event["args"]?.object
    latest = max(latest, start + max(0, duration))
    spans.append(
      (
        TracedSpan(
          subject: values?["subject"]?.string ?? name, phase: values?["phase"]?.string ?? "",
          kind: event["cat"]?.string ?? "", start: start, duration: duration, process: lane.process,
          thread: lane.thread, parent: nil, place: values?["place"]?.string, error: values?["error"]?.string,
          isUnfinished: values?["unfinished"]?.bool ?? false),
        values?["subject"] == nil ? nil : values?["id"]?.integer(), values?["parent"]?.integer()
      ))
  }

  /// Microseconds of the file as nanoseconds; within 2^52, so that sums fit.
  private func nanoseconds(
    _ event: JSONValue.Object, _ field: String, _ number: Int
  ) throws(TraceError) -> Int64 {
    guard let value = event[field]?.double, let whole = Int64(exactly: (value * 1000).rounded()),
      whole.magnitude < 1 << 52
    else { throw malformed(number, field) }
    return whole
  }

  private func malformed(_ number: Int, _ field: String) -> TraceError {
    TraceError(.eventMalformed, ["file": file, "event": "\(number)", "field": field], at: .file(file))
  }
}
