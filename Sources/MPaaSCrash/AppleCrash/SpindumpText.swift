import MPaaSSupport

/// Reports of hangs, of processor time and of writes to disk as `spindump` prints them: call trees, outermost call first.
///
///     Heaviest stack for the target process:
///       10  start + 2544 (dyld + 88016) [0x18d2f57d0]
///       10  main + 96 (Demo + 16208) [0x104b63f50]
///
/// - Source: `man spindump`; the reports that Xcode's organizer shows for hangs and disk writes.
enum SpindumpText {
  static func isOne(_ layout: AppleCrashLayout) -> Bool {
    layout.threads.allSatisfy { $0.rows.isEmpty }
      && layout.fields.contains { $0.key.hasPrefix("Heaviest stack") || $0.key == "Event" || $0.key == "Command" }
  }

  /// The report with the heaviest stacks as its threads.
  static func report(_ layout: AppleCrashLayout) -> CrashReport {
    var report = CrashReport()
    report.origin = .foreign
    AppleCrashText.fill(&report, from: layout)
    report.kind = kind(layout["Event"] ?? "")
    if let command = layout["Command"] {
      report.process.name = command
      report.application.name = command
    }
    report.process.pid = layout["PID"].flatMap(Int32.init) ?? report.process.pid
    let stacks = stacks(layout.bytes)
    report.threads = stacks.map { stack in
      var thread = CrashReport.Thread(id: stack.id)
      thread.name = stack.title
      thread.frames = stack.frames.reversed()
      return thread
    }
    let table = ImageTable(report.images)
    for thread in report.threads.indices {
      for frame in report.threads[thread].frames.indices {
        report.threads[thread].frames[frame].image = table.index(of: report.threads[thread].frames[frame].address)
      }
    }
    report.faultingThread = report.threads.isEmpty ? nil : 0
    return report
  }

  private static func kind(_ event: String) -> CrashReport.Kind {
    let event = event.lowercased()
    if event.contains("disk") { return .diskWrites }
    if event.contains("cpu") { return .cpuUsage }
    return event.contains("hang") || event.contains("spin") ? .hang : .other
  }

  private struct Stack {
    var id: UInt64 = 0
    var title = ""
    var frames: [CrashReport.Frame] = []
    /// Columns before the name, of the last frame.
    var depth = -1
    /// Samples of the last frame of the heaviest branch so far.
    var isOver = false
  }

  /// The heaviest stack of each tree: the first branch at every fork, since the trees are sorted by samples.
  private static func stacks(_ bytes: [UInt8]) -> [Stack] {
    var stacks: [Stack] = []
    var isInside = false
    for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
      let text = line.trimmed
      if line.has(prefix: "Heaviest stack") || text.has(prefix: "Thread 0x") {
        var stack = Stack()
        stack.title = (text.last == 0x3a ? text.dropLast() : text).text
        if var number = text.after("Thread ") { stack.id = number.takeAddress() ?? 0 }
        stacks.append(stack)
        isInside = true
      } else if isInside, let (frame, depth) = frame(line), let last = stacks.indices.last {
        let isDeeper = depth > stacks[last].depth || stacks[last].title.hasPrefix("Heaviest")
        if isDeeper, !stacks[last].isOver {
          stacks[last].frames.append(frame)
          stacks[last].depth = depth
        } else {
          stacks[last].isOver = true
        }
      } else if text.isEmpty {
        isInside = false
      }
    }
    return stacks.filter { !$0.frames.isEmpty }
  }

  /// `  10  main + 96 (Demo + 16208) [0x104b63f50] 1-10`, with the column that its number ends in.
  private static func frame(_ line: TextBytes) -> (CrashReport.Frame, Int)? {
    var rest = line
    if rest.first == 0x2a { rest = rest.dropFirst() }
    rest.skipSpace()
    guard rest.takeNumber() != nil, rest.first == 0x20 else { return nil }
    let depth = rest.startIndex - line.startIndex
    rest.skipSpace()
    guard let open = rest.range(of: "[0x", last: true) else { return nil }
    var address = rest[(open.lowerBound + 1)...]
    guard let value = address.takeAddress() else { return nil }
    var name = rest[..<open.lowerBound].trimmed
    var frame = CrashReport.Frame(address: value)
    if name.last == 0x29, let image = name.range(of: " (", last: true) {
      frame.extra["apple_text"] = ["image": .string(name[image.upperBound...].dropLast().text)]
      name = name[..<image.lowerBound]
    }
    if !name.has(prefix: "???"), let call = AppleFrameLine.call(name) { frame.calls = [call] }
    return (frame, depth)
  }
}
