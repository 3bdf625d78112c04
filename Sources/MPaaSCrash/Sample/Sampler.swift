import CTrace
package import MPaaSCrashReport

/// Looks at a process again and again, and counts which stacks it finds.
struct Sampler {
  private(set) var profile: SampleProfile
  private var threads: AttachedThreads
  private var capture: ProcessCapture
  private let interval: UInt64
  private var next: UInt64
  private var known: [Key: Int] = [:]
  /// As many frames as a call tree can show to people.
  private static let frameLimit = 192

  private struct Key: Hashable {
    let thread: Int32
    let addresses: [UInt64]
  }

  init(process: Int32, interval: UInt64) throws(CaptureError) {
    threads = try AttachedThreads(process: process)
    self.interval = interval
    next = SystemClock.monotonicNanoseconds() &+ interval
    capture = ProcessCapture(process: process, origin: .attached)
    profile = SampleProfile(report: capture.report, interval: interval)
  }

  /// Sleeps until the next look is due.
  mutating func wait() {
    let now = SystemClock.monotonicNanoseconds()
    if next > now { SystemClock.sleep(nanoseconds: Int(clamping: next - now)) }
    next = max(next, now) &+ interval
  }

  /// One look at all threads; false where the process is gone.
  mutating func look() -> Bool {
    do throws(CaptureError) { try threads.seizeNew() } catch { return false }
    let start = SystemClock.monotonicNanoseconds()
    let late = threads.halt(milliseconds: 200)
    defer { threads.resume() }
    guard !threads.seized.isEmpty else { return false }
    capture.memory.flush()
    if profile.looks % 64 == 0 { refreshImages() }
    for thread in threads.seized.subtracting(late) {
      guard let state = ProcessCapture.state(of: thread) else { continue }
      count(capture.reader.stack(of: state, limit: Self.frameLimit, milliseconds: 200).frames, of: thread)
    }
    profile.looks += 1
    profile.stopped &+= SystemClock.monotonicNanoseconds() &- start
    return true
  }

  mutating func end() {
    threads.detach()
  }

  /// Libraries come and go while a program runs; those of earlier stacks must keep their places in the list.
  private mutating func refreshImages() {
    let fresh = ProcessCapture(process: threads.process, origin: .attached)
    guard fresh.report.images != capture.report.images else { return }
    capture = fresh
    profile.adopt(images: fresh.report.images)
  }

  private mutating func count(_ frames: [CrashReport.Frame], of thread: Int32) {
    let key = Key(thread: thread, addresses: frames.map(\.address))
    if let index = known[key] {
      profile.counts[index] += 1
      return
    }
    known[key] = profile.counts.count
    var entry = CrashReport.Thread(id: UInt64(UInt32(bitPattern: thread)))
    entry.name = ProcessStatus.threadName(thread, of: threads.process)
    entry.frames = frames
    profile.append(entry)
  }
}

/// The number of times each stack was found in a process.
package struct SampleProfile: Sendable {
  /// Each distinct stack is a thread of this report, so that whatever symbolicates reports does it here.
  package var report: CrashReport
  /// The number of times the stack of the thread of the same index was found.
  package fileprivate(set) var counts: [Int] = []
  /// The number of times that all threads were looked at.
  package fileprivate(set) var looks = 0
  /// Nanoseconds from one look to the next.
  package let interval: UInt64
  /// Nanoseconds in all for which the process stood still.
  package fileprivate(set) var stopped: UInt64 = 0

  init(report: CrashReport, interval: UInt64) {
    self.report = report
    self.interval = interval
    self.report.threads = []
  }

  /// A profile of stacks that are known already, such as a file's.
  static func made(of stacks: [(thread: CrashReport.Thread, count: Int)]) -> SampleProfile {
    var profile = SampleProfile(report: CrashReport(), interval: 0)
    profile.report.threads = stacks.map(\.thread)
    profile.counts = stacks.map(\.count)
    profile.looks = profile.counts.reduce(0, +)
    return profile
  }

  fileprivate mutating func append(_ thread: CrashReport.Thread) {
    var thread = thread
    for index in thread.frames.indices { thread.frames[index].image = image(of: thread.frames[index].address) }
    report.threads.append(thread)
    counts.append(1)
  }

  private func image(of address: UInt64) -> Int? {
    report.images.lastIndex { $0.contains(address) }
  }

  fileprivate mutating func adopt(images: [CrashReport.Image]) {
    report.images += images.filter { !report.images.contains($0) }
  }
}
