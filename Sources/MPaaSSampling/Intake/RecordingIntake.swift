import CUnwind
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport

/// The gathered parts of a recording so far, whichever way its samples are taken.
struct RecordingIntake {
  let start = SystemClock.monotonicNanoseconds()
  private let startTime = SystemClock.now()
  private let ownTime = ProcessorTime.own
  private(set) var threads: [Int32: RecordedThread] = [:]
  private(set) var samples: [RecordedSample] = []
  var cost = RecordingCost()
  private var tally = StackTally()
  private var spaces: [AddressSpace] = []
  private var current: [Int32: AddressSpace] = [:]
  private let files = CodeFiles()
  private let frames = UnsafeMutableBufferPointer<mp_frame>.allocate(
    capacity: RecordingOptions.deepestFrame)

  /// Frees the room for frames; nothing is added after it.
  func end() { frames.deallocate() }

  // MARK: Processes and threads

  /// The code of a process; that which is mapped now where nothing was told of it.
  mutating func space(of process: Int32) -> AddressSpace {
    if let space = current[process] { return space }
    let space = newSpace(of: process)
    space.readMaps(of: process)
    return space
  }

  /// An address space in which nothing is mapped: that of a process that becomes another program.
  @discardableResult
  mutating func newSpace(of process: Int32) -> AddressSpace {
    let space = AddressSpace(index: spaces.count, process: process, files: files)
    spaces.append(space)
    current[process] = space
    return space
  }

  /// A process came from another one, and has its code.
  mutating func fork(_ process: Int32, from parent: Int32) {
    current[process] = current[parent]
  }

  /// Takes a thread in with the name that the kernel has now, where it is new.
  mutating func learn(_ thread: Int32, of process: Int32) {
    guard threads[thread] == nil else { return }
    let name = ProcessStatus.threadName(thread, of: process) ?? ""
    let processName = process == thread ? name : ProcessStatus.threadName(process, of: process) ?? ""
    threads[thread] = RecordedThread(process: process, name: name, processName: processName)
  }

  /// A thread came from another one, and has its name.
  mutating func start(_ thread: Int32, of process: Int32, by parent: Int32) {
    guard let known = threads[parent] else { return }
    threads[thread] = RecordedThread(process: process, name: known.name, processName: known.processName)
  }

  mutating func name(_ thread: Int32, of process: Int32, _ name: String) {
    threads[thread, default: RecordedThread(process: process, name: name, processName: name)].name = name
    guard thread == process else { return }
    for (id, known) in threads where known.process == process { threads[id]?.processName = name }
  }

  // MARK: Samples

  /// The number of a stack, which is unwound from its copy.
  ///
  /// - Parameter readsMaps: Tells whether the process has its code yet: what is unknown is looked for in its maps.
  mutating func stack(
    _ registers: mp_registers?, _ copy: CopiedStack, kernel: [UInt64], state: RecordedState, of process: Int32,
    readsMaps: Bool = false
  ) -> Int {
    let space = space(of: process)
    var count = 0
    if let registers {
      var start = registers
      var found = space.unwind(&start, stack: copy, into: frames)
      if readsMaps, found.count > 0, frames[found.count - 1].image < 0, space.readMapsAgain(of: process) {
        start = registers
        found = space.unwind(&start, stack: copy, into: frames)
      }
      count = found.count
      if found.isCut { cost.cut += 1 }
    }
    let found = UnsafeBufferPointer(rebasing: frames[..<count])
    return tally.number(of: found, kernel: kernel, state: state, in: space)
  }

  /// The place where a stack goes on that is not in its copy; nil where it is whole.
  mutating func missingPlace(_ registers: mp_registers?, _ copy: CopiedStack, of process: Int32) -> UInt64? {
    guard var registers else { return nil }
    let found = space(of: process).unwind(&registers, stack: copy, into: frames)
    return found.isUnreadable && found.count > 0 ? frames[found.count - 1].sp : nil
  }

  /// The number of the stack that stands for places that were not sampled.
  mutating func unknownPlace(of process: Int32, _ state: RecordedState) -> Int {
    let none = UnsafeBufferPointer<mp_frame>(start: nil, count: 0)
    return tally.number(of: none, kernel: [], state: state, in: space(of: process))
  }

  /// The same stack in another state.
  mutating func stack(_ number: Int, as state: RecordedState) -> Int { tally.number(of: number, as: state) }

  mutating func add(_ thread: Int32, stack: Int, time: UInt64, weight: UInt64) {
    let since = time > start ? time - start : 0
    samples.append(RecordedSample(thread: thread, stack: stack, time: since, weight: weight))
  }

  // MARK: The end

  /// The recording, with the names of what threads waited for.
  mutating func recording(
    _ method: RecordingOptions.Method, _ options: RecordingOptions, process: Int32, exit: Int32?
  ) -> Recording {
    let stacks = tally.stacks
    cost.ownTime = ProcessorTime.own &- ownTime
    for sample in samples where stacks[sample.stack].state == .running { cost.programTime &+= sample.weight }
    return Recording(
      method: method, rate: options.rate, name: threads[process]?.processName ?? "", process: process,
      start: startTime.seconds &* 1_000_000_000 &+ Int64(startTime.nanoseconds),
      duration: SystemClock.monotonicNanoseconds() &- start, spaces: spaces.map(\.report), stacks: stacks,
      samples: samples.sorted { ($0.time, $0.thread) < ($1.time, $1.thread) }, threads: threads, cost: cost, exit: exit)
  }
}
