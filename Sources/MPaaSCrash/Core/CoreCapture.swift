import CTrace
package import MPaaSCrashReport
import MPaaSSupport

/// Makes a report of a core file: all threads unwound in the memory that the core and the files it names hold.
package enum CoreCapture {
  /// Reads the core at `path`.
  ///
  /// - Parameters:
  ///   - executable: The program that ran, where it is no longer at the path that the core names.
  ///   - open: Opens a file that was mapped; nil where it is not there. Tests put their own in.
  /// - Throws: `FileError` where the core cannot be read, `CoreError` where it is none, or where `executable` is
  ///   another build than the one that ran.
  package static func report(of path: String, executable: String? = nil) throws -> CrashReport {
    let bytes = try Bytes.mapping(path)
    if let executable { _ = try Bytes.mapping(executable) }
    do throws(CoreError) {
      var report = try report(of: CoreFile(bytes), executable: executable) { path in
        // A core may name anything; a pipe or a device must not be opened.
        ProcFile.isRegular(path) ? try? Bytes.mapping(path) : nil
      }
      if let time = ProcFile.modificationTime(path) { report.captured = time }
      return report
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  /// Makes the report of a core that is read already.
  static func report(
    of core: CoreFile, executable: String?, open: @escaping (String) -> Bytes?
  ) throws(CoreError) -> CrashReport {
    let memory = CoreMemory(core)
    let images = try CoreImages(core, memory: memory, executable: executable, open: open)
    var report = CrashReport()
    report.incident = CrashReport.newIncident()
    report.origin = .core
    report.images = images.list.reportImages
    report.notes = images.notes
    describe(core, images, &report)
    let reader = StackReader(
      memory: ExtendedMemory.completing(images.list, in: memory, open: open), images: images.list)
    let deadline = SystemClock.monotonicNanoseconds() &+ 30_000_000_000
    for (index, thread) in core.notes.threads.enumerated() {
      var entry = CrashReport.Thread(id: UInt64(UInt32(bitPattern: thread.id)))
      entry.registers = thread.state.registers
      // A broken core's threads together get as long as a report may take.
      if SystemClock.monotonicNanoseconds() < deadline {
        let stack = reader.stack(of: thread.state, milliseconds: index == 0 ? 2000 : 500)
        (entry.frames, entry.cut) = (stack.frames, stack.cut)
      }
      report.threads.append(entry)
    }
    addException(core, &report)
    if let message = AbortMessage.read(from: images.list, memory: memory) {
      report.lastWords[message.image, default: []].append(message.text)
    }
    report.breadcrumbs = breadcrumbs(core, memory, open)
    return report
  }

  /// Reads the ring in the core, or in its file while that is there.
  private static func breadcrumbs(
    _ core: CoreFile, _ memory: CoreMemory, _ open: (String) -> Bytes?
  ) -> [CrashReport.Breadcrumb] {
    let ring = core.notes.files.first { BreadcrumbRing.isRing(path: $0.path, size: $0.end - $0.start) }
    guard let ring else { return [] }
    if let file = open(ring.path) { memory.back(ring, by: file) }
    return BreadcrumbRing.read(at: ring.start, memory)
  }

  private static func describe(_ core: CoreFile, _ images: CoreImages, _ report: inout CrashReport) {
    let info = core.notes.process
    report.process.pid = info?.pid ?? core.notes.threads.first?.id ?? 0
    report.process.parentPID = info?.parent
    report.process.userID = info?.user
    report.process.cpuType = CrashReport.thisCPU
    report.process.path = CrashReport.withoutDeleted(images.executable ?? images.mainPath)
    let file = report.process.path.split(separator: "/").last.map(String.init)
    report.process.name = file ?? info?.name ?? ""
    report.application.name = report.process.name
    if core.missingBytes > 0 {
      report.notes.append("The core is cut off: \(core.missingBytes) bytes are missing.")
      report.isPartial = true
    }
    if core.notes.files.isEmpty {
      report.notes.append("The core does not say which files were mapped; frames cannot be told apart by their images.")
    }
  }

  private static func addException(_ core: CoreFile, _ report: inout CrashReport) {
    guard let first = core.notes.threads.first else { return }
    report.faultingThread = 0
    if let signal = core.notes.signal {
      report.exception = CrashReport.Exception(
        signal: signal.signal, code: signal.code, address: signal.address, sender: signal.sender, table: .linux)
    } else if first.signal != 0 {
      report.exception = CrashReport.Exception(
        signal: first.signal, code: 0x80, address: 0, sender: 0, table: .linux)
    }
  }
}
