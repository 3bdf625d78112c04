import CPerfEvents
import CUnwind
import MPaaSCrash
import MPaaSSupport

/// Samples a program by the kernel's performance events.
struct EventRecorder {
  private let options: RecordingOptions
  private let process: Int32
  private let ring: EventRing
  private var intake = RecordingIntake()
  private var ledger = WaitLedger()
  /// Samples that the kernel took.
  private var sampled = 0
  /// Nanoseconds that a sample costs the program.
  private let sampleCost: UInt64

  /// Gets ready; a program that is held begins to be sampled when it becomes the command.
  init(_ options: RecordingOptions, process: Int32, isHeld: Bool) throws(CaptureError) {
    self.options = options
    self.process = process
    sampleCost = EventRing.sampleCost(options)
    ring = try EventRing(options, startsAtExec: isHeld)
    var failure: Int32 = 0
    var count = 0
    for thread in ProcessStatus.threads(of: process) {
      let error = ring.add(thread)
      if error == 0 { count += 1 } else { failure = error }
      intake.learn(thread, of: process)
    }
    guard count > 0 else {
      throw failure == 0 || failure == -KernelError.noProcess
        ? CaptureError(.noSuchProcess, process: process)
        : CaptureError(.refused, process: process, system: -failure)
    }
    if !isHeld { lookAtWaiting() }
  }

  /// Samples until the program has ended, `isDone` says so, or the time is over.
  mutating func run(until end: RecordingEnd) -> Recording {
    ring.start()
    while !end.hasCome(since: intake.start) {
      ring.wait(milliseconds: 20)
      take()
    }
    ring.stop()
    take()
    take(all: true)
    if sampleCost > 0 { intake.cost.sampledTime = sampleCost &* UInt64(sampled) }
    defer { intake.end() }
    return intake.recording(.events, options, process: process, exit: end.status)
  }

  /// Takes the stacks of threads that wait before it begins: the kernel tells of changes only.
  private mutating func lookAtWaiting() {
    guard var threads = try? AttachedThreads(process: process) else { return }
    defer { threads.detach() }
    let copier = StackCopier(size: options.stackSize)
    // A thread that runs will tell of itself.
    let waiting = threads.seized.sorted().filter { WatchedThread($0, of: process).isWaiting }
    threads.stopEach(of: waiting, milliseconds: 500) { thread in
      guard let found = copier.copy(thread, of: process) else { return }
      let number = intake.stack(found.registers, copier.stack, kernel: [], state: found.state, of: process)
      ledger.begin(thread, at: intake.start, stack: number)
    }
  }

  // MARK: Records

  /// Takes what the kernel has written: first what happened to processes, then the samples.
  private mutating func take(all: Bool = false) {
    let now = SystemClock.monotonicNanoseconds()
    var changes: [ProcessChange] = []
    ring.each(light: true) { record in
      switch record.pointee.kind {
      case MP_PERF_SWITCH_IN: note(record, .back)
      case MP_PERF_SWITCH_OUT: note(record, .out(isPreempted: record.pointee.is_preempted))
      case MP_PERF_LOST: intake.cost.lost &+= record.pointee.count
      case MP_PERF_THROTTLED: intake.cost.lost &+= 1
      default: if let change = ProcessChange(record.pointee) { changes.append(change) }
      }
    }
    changes.sort { $0.time < $1.time }
    for change in changes { apply(change) }
    ring.each(light: false) { sample($0) }
    // A record can come a little later than one of another processor that tells of a later time.
    let waits = all ? ledger.finish(at: now) : ledger.settle(before: now &- 2_000_000)
    for wait in waits { add(wait) }
  }

  private mutating func note(_ record: UnsafePointer<mp_perf_record>, _ kind: WaitLedger.Event.Kind) {
    ledger.add(WaitLedger.Event(time: record.pointee.time, thread: record.pointee.thread, kind: kind))
  }

  private mutating func apply(_ change: ProcessChange) {
    switch change.kind {
    case .start(let parent, let process) where process != change.process:
      intake.fork(change.process, from: process)
      intake.start(change.thread, of: change.process, by: parent)
    case .start(let parent, _): intake.start(change.thread, of: change.process, by: parent)
    case .end: ledger.add(WaitLedger.Event(time: change.time, thread: change.thread, kind: .end))
    case .name(let name, let isExec):
      if isExec { intake.newSpace(of: change.process) }
      intake.name(change.thread, of: change.process, name)
    case .map(let path, let address, let length, let offset):
      intake.space(of: change.process).map(path, at: address, length: length, offset: offset)
    }
  }

  private mutating func sample(_ pointer: UnsafePointer<mp_perf_record>) {
    let record = pointer.pointee
    guard record.process > 0 else { return }
    intake.learn(record.thread, of: record.process)
    sampled += 1
    let isRunning = record.kind == MP_PERF_RUNNING
    let kernel = Array(UnsafeBufferPointer(start: record.kernel, count: record.kernel_count))
    let number = intake.stack(
      record.has_registers ? record.registers : nil,
      CopiedStack(
        start: record.registers.stackPointer,
        bytes: UnsafeRawBufferPointer(start: record.stack, count: record.stack_size)), kernel: kernel,
      state: isRunning ? .running : .waiting(call: nil, function: nil), of: record.process)
    if isRunning {
      intake.add(record.thread, stack: number, time: record.time, weight: record.count)
    } else {
      ledger.add(WaitLedger.Event(time: record.time, thread: record.thread, kind: .place(stack: number)))
    }
  }

  private mutating func add(_ wait: WaitLedger.Wait) {
    let state: RecordedState? = wait.isPreempted ? .ready : nil
    let stack: Int
    if let place = wait.stack {
      stack = state.map { intake.stack(place, as: $0) } ?? place
    } else {
      let process = intake.threads[wait.thread]?.process ?? process
      stack = intake.unknownPlace(of: process, state ?? .waitingSomewhere)
    }
    intake.add(wait.thread, stack: stack, time: wait.start, weight: wait.end - wait.start)
  }
}
