import CTrace
import MPaaSCrash
import MPaaSSupport

/// One start of a program under observation: it stands still for some microseconds at the moments that have no other
/// sign.
struct StartupRun {
  private let command: [String]
  /// Tells whether the program is ended at its first output.
  private let endsAtOutput: Bool
  private var times = StartupTimes()
  private var breakpoints: [UInt64: Breakpoint] = [:]
  private(set) var files: Set<String> = []

  private enum Purpose {
    case moment(StartupTimes.Moment)
    /// The loader's call for debuggers: at the first, and behind it, where the second is waited for.
    case loader
    case afterLoader
  }

  private struct Breakpoint {
    let purpose: Purpose
    let original: [UInt8]
  }

  init(_ command: [String], endsAtOutput: Bool) {
    self.command = command
    self.endsAtOutput = endsAtOutput
  }

  struct Outcome {
    let times: StartupTimes
    /// The files that were mapped.
    let files: Set<String>
    let status: Int32
  }

  /// Starts it, and waits for its end; on a thread of its own, which the kernel knows as the tracer.
  mutating func run() throws(CaptureError) -> Outcome {
    let pipe: OpenPipe
    do throws(FileError) { pipe = try OpenPipe() } catch {
      throw CaptureError(.cannotStart, command: command.first)
    }
    let program = try HeldProgram(command, output: pipe.writing.descriptor)
    let child = program.process
    let refusal = mt_seize(child, true)
    guard refusal == 0 else {
      program.abandon()
      throw CaptureError(.refused, process: child, command: command.first, system: -refusal)
    }
    // The program has the other end alone now, so that its end is seen.
    let output = FirstOutput(pipe.endToReadFrom(), ends: endsAtOutput ? child : nil)
    let start = SystemClock.monotonicNanoseconds()
    program.launch()
    let status = follow(child, since: start)
    let end = SystemClock.monotonicNanoseconds()
    if let failure = program.startError() { throw failure }
    times.noteEnd(at: end, output: output.finish(), since: start)
    return Outcome(times: times, files: files, status: status)
  }

  private mutating func follow(_ child: Int32, since start: UInt64) -> Int32 {
    while true {
      var event = mt_event()
      let outcome = mt_wait(-1, true, &event)
      let time = SystemClock.monotonicNanoseconds()
      if outcome == -KernelError.interrupted { continue }
      guard outcome == 1 else { return 0 }
      switch event.kind {
      case mt_event_exited where event.thread == child: return Int32(truncatingIfNeeded: event.message)
      case mt_event_killed where event.thread == child: return 128 + event.signal
      case mt_event_exited, mt_event_killed: continue
      case mt_event_exec where event.thread == child:
        // A program that becomes another one: the start is that of the last.
        times = StartupTimes()
        times.note(.exec, at: time, since: start)
        prepare(child)
        mt_resume(child, 0)
      case mt_event_signal where event.signal == Self.trap && hit(event.thread, child, at: time, since: start):
        mt_resume(event.thread, 0)
      case mt_event_signal: mt_resume(event.thread, event.signal)
      case mt_event_group: mt_listen(event.thread)
      case mt_event_stop where event.thread != child && ProcessStatus(of: event.thread)?.process != child:
        // Another process, which the program has started: it goes on by itself.
        clear(event.thread)
        mt_detach(event.thread, 0)
      default: mt_resume(event.thread, 0)
      }
    }
  }

  /// SIGTRAP.
  private static let trap: Int32 = 5

  // MARK: Breakpoints

  /// Sets the breakpoints of a program that has just been put into memory.
  private mutating func prepare(_ child: Int32) {
    breakpoints = [:]
    guard let layout = StartupLayout(child) else { return }
    if let address = layout.loaderCall { set(address, .loader, child) }
    if let address = layout.entry { set(address, .moment(.entry), child) }
    if let address = layout.main { set(address, .moment(.main), child) }
  }

  private mutating func set(_ address: UInt64, _ purpose: Purpose, _ child: Int32) {
    let code = BreakpointCode.bytes
    let original = LiveMemory(process: child).bytes(at: address, count: code.count)
    guard original.count == code.count, breakpoints[address] == nil else { return }
    if mt_write_memory(child, address, code, code.count) == 0 {
      breakpoints[address] = Breakpoint(purpose: purpose, original: original)
    }
  }

  /// Takes the breakpoints out of a process that has a copy of the program's memory.
  private func clear(_ process: Int32) {
    for (address, each) in breakpoints { mt_write_memory(process, address, each.original, each.original.count) }
  }

  /// Handles a breakpoint of ours; false where it is none.
  private mutating func hit(_ thread: Int32, _ child: Int32, at time: UInt64, since start: UInt64) -> Bool {
    guard var state = ThreadState(of: thread) else { return false }
    let address = state.programCounter &- BreakpointCode.advance
    guard let known = breakpoints.removeValue(forKey: address) else { return false }
    mt_write_memory(child, address, known.original, known.original.count)
    state.programCounter = address
    state.write(to: thread)
    switch known.purpose {
    case .moment(let moment):
      if moment == .entry { learnFiles(child) }
      times.note(moment, at: time, since: start)
    case .loader where times.moments[.loader] == nil:
      times.note(.loader, at: time, since: start)
      if let back = state.returnAddress(in: child) { set(back, .afterLoader, child) }
    case .loader: times.note(.loaded, at: time, since: start)
    case .afterLoader:
      if let layout = StartupLayout(child), let call = layout.loaderCall { set(call, .loader, child) }
    }
    return true
  }

  private mutating func learnFiles(_ child: Int32) {
    ProcessMaps.each(of: child) { map in
      if map.inode != 0, map.path.hasPrefix("/") { files.insert(map.path) }
    }
  }
}

/// The instruction at which a traced program stops.
enum BreakpointCode {
  #if arch(arm64)
    /// `brk #0`.
    static let bytes: [UInt8] = [0x00, 0x00, 0x20, 0xd4]
    /// The bytes by which the program counter is behind it when the program stops.
    static let advance: UInt64 = 0
  #else
    /// `int3`.
    static let bytes: [UInt8] = [0xcc]
    static let advance: UInt64 = 1
  #endif
}
