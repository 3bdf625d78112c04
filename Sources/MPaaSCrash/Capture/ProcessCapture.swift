import CTrace
import MPaaSCrashReport

/// Makes a report of a traced process all of whose threads stand still.
struct ProcessCapture {
  let process: Int32
  let memory: LiveMemory
  let images: ImageList
  let reader: StackReader
  private(set) var report = CrashReport()

  init(process: Int32, origin: CrashReport.Origin) {
    self.process = process
    let witness = ProcessStatus.witness(of: process)
    memory = LiveMemory(process: witness)
    reader = StackReader.live(process, memory)
    images = reader.images
    report.describe(process: process, witness: witness)
    report.origin = origin
    report.images = images.reportImages
    if let ring = BreadcrumbRing.address(in: witness) { report.breadcrumbs = BreadcrumbRing.read(at: ring, memory) }
  }

  /// Adds a thread that stands still.
  ///
  /// - Parameter state: The registers to begin with; nil reads those that the thread has now.
  mutating func add(thread id: Int32, from state: ThreadState? = nil) {
    var thread = CrashReport.Thread(id: UInt64(UInt32(bitPattern: id)))
    thread.name = ProcessStatus.threadName(id, of: process)
    if let state = state ?? Self.state(of: id) {
      thread.registers = state.registers
      let stack = reader.stack(of: state)
      (thread.frames, thread.cut) = (stack.frames, stack.cut)
    } else {
      report.notes.append("The registers of thread \(id) could not be read.")
    }
    report.threads.append(thread)
  }

  /// Adds a thread that did not stop in time, by name only.
  mutating func add(running id: Int32) {
    var thread = CrashReport.Thread(id: UInt64(UInt32(bitPattern: id)))
    thread.name = ProcessStatus.threadName(id, of: process)
    report.threads.append(thread)
    report.notes.append("Thread \(id) did not stop in time; its stack is missing.")
  }

  mutating func fault(_ signal: mt_signal, in thread: Int32) {
    report.exception = CrashReport.Exception(
      signal: signal.signal, code: signal.code, address: signal.address, sender: signal.sender)
    report.faultingThread = report.threads.firstIndex { $0.id == UInt64(UInt32(bitPattern: thread)) }
  }

  /// Says that a process died of something else than the fault that it had first.
  mutating func note(_ first: (thread: Int32, fault: CaughtFault), before last: mt_signal, in thread: Int32) {
    guard first.fault.signal.signal != last.signal || first.thread != thread else { return }
    let table = SignalTable.native
    report.notes.append(
      "While thread \(first.thread) handled \(table.name(first.fault.signal.signal)), thread \(thread) was ended by "
        + "\(table.name(last.signal)).")
  }

  /// Adds the abort message of the C library, and what the program wrote to its standard error last.
  mutating func addLastWords(standardError: String?) {
    if let message = AbortMessage.read(from: images, memory: memory) {
      report.lastWords[message.image, default: []].append(message.text)
    }
    if let standardError { LastWords(standardError).add(to: &report) }
  }

  static func state(of thread: Int32) -> ThreadState? { ThreadState(of: thread) }
}

extension ThreadState {
  /// The registers of a traced thread that stands still.
  package init?(of thread: Int32) {
    var registers = mt_registers()
    guard mt_get_registers(thread, &registers) == 0 else { return nil }
    self.init(registers)
  }
}
