import MPaaSCrashReport
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
    var images = SpindumpImages(report.images, layout.bytes)
    report.threads = stacks.map { stack in
      var thread = CrashReport.Thread(id: stack.id)
      (thread.name, thread.queue) = names(stack.title)
      thread.frames = stack.frames.reversed().map { images.placed($0.frame, $0.image) }
      return thread
    }
    report.images = images.all
    report.faultingThread = report.threads.isEmpty ? nil : 0
    return report
  }

  /// `Thread 0xf1970  DispatchQueue "com.apple.main-thread"(1)  60 samples (1-60)`: what a thread is called, and its queue.
  private static func names(_ title: String) -> (name: String?, queue: String?) {
    let bytes = Array(title.utf8)[...]
    guard bytes.has(prefix: "Thread 0x") else { return (title, nil) }
    func quoted(_ mark: StaticString) -> String? {
      guard let range = bytes.range(of: mark) else { return nil }
      let rest = bytes[range.upperBound...]
      return rest.firstIndex(of: 0x22).map { rest[..<$0].text }
    }
    return (quoted("Thread name \""), quoted("DispatchQueue \""))
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
    var frames: [(frame: CrashReport.Frame, image: SpindumpImages.Place?)] = []
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
      } else if isInside, let (frame, image, depth) = frame(line), let last = stacks.indices.last {
        let isDeeper = depth > stacks[last].depth || stacks[last].title.hasPrefix("Heaviest")
        if isDeeper, !stacks[last].isOver {
          stacks[last].frames.append((frame, image))
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
  private static func frame(_ line: TextBytes) -> (CrashReport.Frame, SpindumpImages.Place?, Int)? {
    var rest = line
    rest.skipSpace()
    // A star marks the kernel's code.
    if rest.first == 0x2a { rest = rest.dropFirst() }
    guard rest.takeNumber() != nil, rest.first == 0x20 else { return nil }
    let depth = rest.startIndex - line.startIndex
    rest.skipSpace()
    guard let open = rest.range(of: "[0x", last: true) else { return nil }
    var address = rest[(open.lowerBound + 1)...]
    guard let value = address.takeAddress() else { return nil }
    var name = rest[..<open.lowerBound].trimmed
    var frame = CrashReport.Frame(address: value)
    var place: SpindumpImages.Place?
    if name.last == 0x29, let image = name.range(of: " (", last: true) {
      let inside = name[image.upperBound...].dropLast()
      place = SpindumpImages.Place(inside)
      if place == nil { frame.extra["apple_text"] = ["image": .string(inside.text)] }
      name = name[..<image.lowerBound]
    }
    if !name.has(prefix: "???"), let call = AppleFrameLine.call(name) { frame.calls = [call] }
    return (frame, place, depth)
  }
}
