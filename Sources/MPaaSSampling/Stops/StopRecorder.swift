import CUnwind
import MPaaSCrash
import MPaaSSupport

/// Samples a program by stopping each of its threads for the moment in which its registers and its stack are copied.
///
/// A thread that has not run since it was found waiting is not stopped again: its stack is the same. Where a stack turns out
/// to go on beyond the part that is copied first, the thread stands still for the rest of it as well.
struct StopRecorder {
  private let options: RecordingOptions
  private let process: Int32
  private var intake = RecordingIntake()
  private var processes: [Int32: StoppedProcess] = [:]
  private var looks = 0
  /// The number of the program that was there when the recorder came: a command that is held is none yet.
  private let firstEpoch: UInt64

  init(_ options: RecordingOptions, process: Int32) throws(CaptureError) {
    self.options = options
    self.process = process
    let stopped = StoppedProcess(try AttachedThreads(process: process))
    firstEpoch = stopped.epoch
    processes[process] = stopped
  }

  /// Waits until a program that was held has become the command, which it may have done already.
  mutating func waitForExec(_ end: RecordingEnd) {
    guard firstEpoch != 0 else { return }
    while processes[process]?.epoch == firstEpoch, !end.hasCome(since: SystemClock.monotonicNanoseconds()) {
      // A signal that comes before would hold it for ever.
      processes[process]?.threads.resumeStopped()
      end.take(processes[process]?.threads.exitStatus)
      SystemClock.sleep(nanoseconds: 200_000)
    }
  }

  mutating func run(until end: RecordingEnd) -> Recording {
    let interval = UInt64(1_000_000_000 / max(options.rate, 1))
    var last = intake.start
    while !end.hasCome(since: intake.start) {
      let due = last &+ interval
      let now = SystemClock.monotonicNanoseconds()
      if due > now { SystemClock.sleep(nanoseconds: Int(clamping: due - now)) }
      let time = SystemClock.monotonicNanoseconds()
      look(at: time, weight: time &- last)
      last = time
      end.take(processes[process]?.threads.exitStatus)
      if processes[process]?.threads.seized.isEmpty ?? true { break }
    }
    for id in processes.keys { processes[id]?.threads.detach() }
    defer { intake.end() }
    return intake.recording(.stops, options, process: process, exit: end.status)
  }

  private mutating func look(at time: UInt64, weight: UInt64) {
    if options.followsChildren, looks % 32 == 0 { findChildren() }
    for id in processes.keys.sorted() {
      guard var stopped = processes.removeValue(forKey: id) else { continue }
      if (try? stopped.threads.seizeNew()) == nil { continue }
      stopped.threads.resumeStopped()
      if stopped.hasBecomeAnother() { intake.newSpace(of: id).readMaps(of: id) }
      if looks % 64 == 63 { intake.space(of: id).readMaps(of: id) }
      look(&stopped, at: time, weight: weight)
      if id == process || !stopped.threads.seized.isEmpty { processes[id] = stopped }
    }
    looks += 1
  }

  private mutating func look(_ stopped: inout StoppedProcess, at time: UInt64, weight: UInt64) {
    let id = stopped.threads.process
    var due: [(thread: Int32, isWaiting: Bool, progress: WatchedThread.Progress?)] = []
    for thread in stopped.threads.seized.sorted() {
      intake.learn(thread, of: id)
      let watched = stopped.watched(thread)
      let progress = watched.progress
      if let waiting = watched.waiting, waiting.progress == progress {
        intake.add(thread, stack: waiting.stack, time: time, weight: weight)
      } else {
        due.append((thread, watched.isWaiting, progress))
      }
    }
    var stoppedTime: UInt64 = 0
    let copies = stopped.copy(due.map(\.thread), size: options.stackSize, &stoppedTime) { copy, stack in
      intake.missingPlace(copy.registers, stack, of: id)
    }
    intake.cost.stoppedTime &+= stoppedTime
    for (thread, isWaiting, progress) in due {
      guard let copy = copies[thread] else {
        intake.cost.lost &+= 1
        continue
      }
      let copier = stopped.copier(thread, size: options.stackSize)
      let cut = intake.cost.cut
      let stack = intake.stack(
        copy.registers, copier.stack, kernel: [], state: isWaiting ? copy.state : .running, of: id, readsMaps: true)
      copier.wasCut = intake.cost.cut > cut
      intake.add(thread, stack: stack, time: time, weight: weight)
      // Its own look made it run a little: what the kernel counts afterwards is what it begins from.
      let after = isWaiting && progress != nil ? stopped.watched(thread).progress : nil
      stopped.watched(thread).waiting = after.map { (stack, $0) }
    }
  }

  /// Takes in the processes that those known have started since.
  private mutating func findChildren() {
    for parent in processes.keys.sorted() {
      for child in processes[parent]?.children ?? [] where processes[child] == nil {
        guard let threads = try? AttachedThreads(process: child) else { continue }
        processes[child] = StoppedProcess(threads)
      }
    }
  }
}
