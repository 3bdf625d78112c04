import MPaaSBase

/// The sections of a record that tell of a hang: `MP_RECORD_HANG`, its samples and its end.
struct HangRecord {
  private struct Sample {
    var look: CrashReport.Hang.Sample
    var thread: UInt64
    var processor: UInt64
    var queue: UInt64
    var stack: HangStacks.Stack
  }

  private var hang = CrashReport.Hang()
  private(set) var uptime = 0.0
  private(set) var systemUptime = 0.0
  private var thread: UInt64
  private var limits: [UInt64] = []
  private var base: UInt64
  private var samples: [Sample] = []
  private var duration: UInt64?

  /// Distinct stacks that a report shows beside the one that most agree in.
  private static let mostStacks = 8

  init(_ cursor: inout ByteCursor) throws(ByteError) {
    hang.name = try cursor.text()
    thread = try cursor.u64()
    hang.began = try cursor.timestamp()
    uptime = Double(try cursor.u64()) / 1e9
    systemUptime = Double(try cursor.u64()) / 1e9
    for _ in 0..<4 { limits.append(try cursor.u64()) }
    base = try cursor.u64()
  }

  mutating func takeSample(_ cursor: inout ByteCursor) throws(ByteError) {
    let time = try cursor.u64()
    let thread = try cursor.u64()
    var look = CrashReport.Hang.Sample(time: Double(time) / 1e9)
    let letter = try cursor.u32()
    if (0x41...0x7a).contains(letter) { look.state = Unicode.Scalar(letter).map { String(Character($0)) } }
    let call = Int32(bitPattern: try cursor.u32())
    look.call = call < 0 ? nil : Int(call)
    _ = try cursor.u64()
    let owner = try cursor.u64()
    look.owner = owner == 0 ? nil : owner
    let processor = try cursor.u64()
    let queue = try cursor.u64()
    let stop = try cursor.u32()
    var frames: [HangStacks.Frame] = []
    for _ in 0..<(try cursor.u32()) {
      let address = try cursor.u64()
      let kind = RawRecordBuilder.kind(try cursor.u32())
      let offset = UInt64(try cursor.u32())
      frames.append(.init(address: address, kind: kind, function: address &- offset))
    }
    let stack = HangStacks.Stack(frames: frames, cut: CrashReport.StackCut(stop: stop))
    samples.append(Sample(look: look, thread: thread, processor: processor, queue: queue, stack: stack))
  }

  mutating func takeEnd(_ cursor: inout ByteCursor) throws(ByteError) {
    duration = try cursor.u64()
    hang.isPartly = try cursor.u32() & 4 != 0
  }

  /// Puts the hang and its stacks into a report; false where not one stack is there.
  func fill(_ report: inout CrashReport) -> Bool {
    guard let last = samples.last, let agreed = HangStacks(stacks: samples.map(\.stack)).agreed else { return false }
    var hang = hang
    report.kind = .hang
    report.process.uptime = uptime
    report.process.systemUptime = systemUptime
    // A record is begun when the hang becomes severe, so that one without an end lasted that long at least.
    let least = limits.dropFirst(2).first.map { Double($0) / 1e9 } ?? 0
    let seconds = duration.map { Double($0) / 1e9 } ?? max(last.look.time, least)
    hang.duration = seconds
    hang.hasEnded = duration != nil
    hang.severity = severity(seconds)
    hang.agreeing = agreed.members.count
    (hang.activity, hang.processorShare) = activity()
    report.captured = hang.began.advanced(by: seconds)
    if !hang.hasEnded { report.notes.append("The program was ended while it hung.") }
    addThreads(&report, &hang, agreed)
    report.faultingThread = 0
    report.hang = hang
    return true
  }

  private func severity(_ seconds: Double) -> CrashReport.Hang.Severity {
    let reached = Array(zip(CrashReport.Hang.Severity.allCases, limits)).last { Double($0.1) / 1e9 <= seconds }
    return reached?.0 ?? .micro
  }

  /// The work of the thread, by the share of its time that it used a processor or was ready for one.
  ///
  /// A time in the queue for a processor is told only when it is over, so the states that it was seen in count, too.
  private func activity() -> (CrashReport.Hang.Activity, Double?) {
    guard let last = samples.last else { return (.unknown, nil) }
    let isReady = samples.count { $0.look.state == "R" } * 2 > samples.count
    let watched = last.look.time - Double(base) / 1e9
    guard watched > 0.01, last.processor > 0 || last.queue > 0 else { return (isReady ? .busy : .waiting, nil) }
    let share = min(Double(last.processor) / 1e9 / watched + Double(last.queue) / 1e9 / watched, 1)
    return (isReady || share >= 0.5 ? .busy : .waiting, share)
  }

  /// The thread that hung comes first, its further stacks last.
  private func addThreads(
    _ report: inout CrashReport, _ hang: inout CrashReport.Hang, _ agreed: (stack: HangStacks.Stack, members: [Int])
  ) {
    let identifier = samples.last?.thread ?? thread
    var first = CrashReport.Thread(id: identifier)
    first.name = hang.name
    first.frames = agreed.stack.frames.map(\.reported)
    first.cut = agreed.stack.cut
    report.threads.removeAll { $0.id == identifier }
    report.threads.insert(first, at: 0)
    var places: [[HangStacks.Frame]] = []
    var numbers: [Int] = []
    for sample in samples {
      var look = sample.look
      let frames = sample.stack.frames
      if let known = places.firstIndex(of: frames) {
        look.thread = numbers[known]
      } else if places.count < Self.mostStacks, !frames.isEmpty {
        var thread = CrashReport.Thread(id: sample.thread)
        let count = samples.count { $0.stack.frames == frames }
        thread.name = "\(hang.name): \(count) of \(samples.count) samples"
        thread.frames = frames.map(\.reported)
        thread.cut = sample.stack.cut
        places.append(frames)
        numbers.append(report.threads.count)
        look.thread = report.threads.count
        report.threads.append(thread)
      }
      hang.samples.append(look)
    }
  }
}
