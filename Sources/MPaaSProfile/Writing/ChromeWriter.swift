import MPaaSSupport

/// Chrome's trace events: a sampled profile (`P` events) for each thread, which DevTools, Perfetto and speedscope read.
///
/// The format has no weights: a sample lasts until the next one, here as long as it weighs. A unit that is no time lasts a
/// microsecond.
/// - Source: "Trace Event Format"; Chrome DevTools Protocol, `Profiler.Profile`.
enum ChromeWriter {
  /// - Throws: `profile-bad-weight` for weights below 0, or too great in sum.
  static func bytes(_ profile: Profile) throws(ProfileError) -> [UInt8] {
    var text = TextBytes()
    text.text(#"{"displayTimeUnit":"ns","otherData":{"exporter":"mpaas"},"traceEvents":["#)
    var nodes = UsedStacks(profile)
    var processes: Set<Int64> = []
    for (index, thread) in profile.threads.enumerated() {
      guard let timeline = ProfileTimeline(thread, of: profile) else {
        throw ProfileError(.badWeight, ["file": profile.name, "format": "chrome"])
      }
      if index > 0 { text.byte(UInt8(ascii: ",")) }
      let lane = "\"pid\":\(thread.process),\"tid\":\(thread.id == 0 ? Int64(index + 1) : thread.id)"
      if processes.insert(thread.process).inserted {
        appendName("process_name", thread.processName.isEmpty ? profile.name : thread.processName, lane, to: &text)
      }
      appendName("thread_name", thread.name.isEmpty ? thread.title : thread.name, lane, to: &text)
      append(thread, timeline, "\"id\":\"0x\(String(index + 1, radix: 16))\",\(lane)", profile, &nodes, to: &text)
    }
    text.text("]}\n")
    return text.bytes
  }

  private static func appendName(_ kind: String, _ name: String, _ lane: String, to text: inout TextBytes) {
    text.raw("{\"ph\":\"M\",\"name\":\"\(kind)\",\(lane),\"ts\":0,\"args\":{\"name\":")
    text.quoted(name)
    text.text("}},\n")
  }

  private static func append(
    _ thread: ProfileThread, _ timeline: ProfileTimeline, _ lane: String, _ profile: Profile,
    _ used: inout UsedStacks, to text: inout TextBytes
  ) {
    let start = timeline.starts.first ?? 0
    let head = #""cat":"disabled-by-default-v8.cpu_profiler",\#(lane),"ts":"#
    text.raw(#"{"ph":"P","name":"Profile",\#(head)"#)
    text.decimal(start, 3)
    text.text(#","args":{"data":{"startTime":"#)
    text.decimal(start, 3)
    text.raw("}}},\n{\"ph\":\"P\",\"name\":\"ProfileChunk\",\(head)")
    text.decimal(start, 3)
    text.text(#","args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":"#)
    text.text(#"{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}"#)
    let rows = used.rows(of: thread)
    for (place, stack) in rows.enumerated() { append(stack, place, used, profile, to: &text) }
    let idle = rows.count + 2
    text.raw(#",{"id":\#(idle),"parent":1,"callFrame":"#)
    text.text(#"{"functionName":"(idle)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}],"samples":"#)
    let ends = Ends(thread, timeline, profile)
    text.list(ends) { step, text in
      switch step.stack {
      case Ends.gap: text.number(idle)
      case -1: text.number(1)
      default: text.number(used.place(of: step.stack) + 2)
      }
    }
    text.text(#"},"timeDeltas":"#)
    var last = start
    text.list(ends) { step, text in
      text.decimal(step.time - last, 3)
      last = step.time
    }
    text.text(#","endTime":"#)
    text.decimal(timeline.end, 3)
    text.text("}}}")
  }

  private static func append(
    _ stack: Int, _ place: Int, _ used: UsedStacks, _ profile: Profile, to text: inout TextBytes
  ) {
    let prefix = Int(profile.stacks.prefixes[stack])
    let frame = Int(profile.stacks.frames[stack])
    let function = Int(profile.frames.functions[frame])
    text.text(#",{"id":"#)
    text.number(place + 2)
    text.text(#","parent":"#)
    text.number(prefix < 0 ? 1 : used.place(of: prefix) + 2)
    text.text(#","callFrame":{"functionName":"#)
    text.quoted(profile.name(ofFunction: function))
    text.text(#","scriptId":"0","url":"#)
    text.quoted(profile.strings[Int(profile.functions.files[function])])
    text.text(#","lineNumber":"#)
    text.number(Int64(profile.functions.lines[function]) - 1)
    text.text(#","columnNumber":-1}}"#)
  }

  /// The samples with the gaps between them.
  private struct Ends: Sequence, IteratorProtocol {
    static let gap = -2
    private let thread: ProfileThread
    private let timeline: ProfileTimeline
    private let count: Int
    private let shown: Int
    private var sample = 0
    private var end: Int64?

    init(_ thread: ProfileThread, _ timeline: ProfileTimeline, _ profile: Profile) {
      self.thread = thread
      self.timeline = timeline
      count = profile.types.count
      shown = profile.shown
    }

    mutating func next() -> (stack: Int, time: Int64)? {
      guard sample < thread.count else { return nil }
      let start = timeline.starts[sample]
      if timeline.hasGaps, let end, end < start {
        self.end = nil
        return (Self.gap, end)
      }
      end = start + thread.weights[sample &* count &+ shown] * timeline.scale
      sample += 1
      return (Int(thread.stacks[sample - 1]), start)
    }
  }
}

/// The stacks that the samples of a thread have, with those that called them, callers first.
struct UsedStacks {
  private let stacks: StackTable
  private var places: [Int32]
  private var used: [Int] = []

  init(_ profile: Profile) {
    stacks = profile.stacks
    places = [Int32](repeating: -1, count: profile.stacks.count)
  }

  /// The place of a stack in the rows of the thread that was asked for last.
  func place(of stack: Int) -> Int { Int(places[stack]) }

  mutating func rows(of thread: ProfileThread) -> [Int] {
    for stack in used { places[stack] = -1 }
    used.removeAll(keepingCapacity: true)
    var path: [Int] = []
    for stack in thread.stacks {
      var next = Int(stack)
      while next >= 0, places[next] < 0 {
        path.append(next)
        next = Int(stacks.prefixes[next])
      }
      while let stack = path.popLast() {
        places[stack] = Int32(truncatingIfNeeded: used.count)
        used.append(stack)
      }
    }
    return used
  }
}
