import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// A report in the making.
struct MinidumpReport {
  let file: MinidumpFile
  var report = CrashReport()
  /// Becomes `extra["minidump"]`.
  var extra: JSONValue.Object = [:]
  /// Streams that have been taken up, by type.
  var taken: Set<UInt32> = [0]
  var system: MinidumpSystem
  var contexts: [Int: MinidumpContext] = [:]
  var stacks: [Int: MinidumpMemory.Range] = [:]
  var ranges: [MinidumpMemory.Range] = []
  /// Address ranges that the dump knows to hold no code; sorted.
  var mappings: [(range: Range<UInt64>, isCode: Bool)] = []

  init(_ file: MinidumpFile) {
    self.file = file
    system = MinidumpSystem(file)
  }

  mutating func finished() -> CrashReport {
    if !file.problems.isEmpty {
      report.isPartial = true
      report.notes += file.problems.map { "The dump is damaged or cut short: \($0)." }
    }
    report.extra["minidump"] = .object(extra)
    return report
  }

  /// The records of a stream, which is then taken up.
  mutating func list(_ type: UInt32, _ layout: MinidumpLayout) -> [JSONValue.Object] {
    taken.insert(type)
    return file.list(type, layout) ?? []
  }

  /// The one record of a stream.
  mutating func record(_ type: UInt32, _ layout: MinidumpLayout) -> JSONValue.Object? {
    guard let stream = file.stream(type) else { return nil }
    taken.insert(type)
    return file.record(layout, at: stream.offset, end: stream.offset + stream.size)
  }
}

// MARK: - Facts

extension MinidumpReport {
  mutating func readFacts() {
    report.origin = .foreign
    var header = file.header
    header["big_endian"] = file.isBigEndian ? true : nil
    extra["header"] = .object(header)
    report.captured.seconds = header["time_date_stamp"]?.integer() ?? 0
    if let info = record(7, .systemInfo) { extra["system_info"] = .object(info) }
    report.process.cpuType = system.cpuType
    (report.system.name, report.system.version, report.system.build) = (system.name, system.version, system.build)
    report.system.kernel = system.kernel
    readProcess()
    readTexts()
    readCrashpad()
    readAssertion()
  }

  private mutating func readProcess() {
    guard let info = record(15, .miscInfo) else { return }
    extra["misc_info"] = .object(info)
    let flags: UInt32 = info["flags1"]?.integer() ?? 0
    if flags & 1 != 0 { report.process.pid = info["process_id"]?.integer() ?? 0 }
    guard flags & 2 != 0, let created: Int64 = info["process_create_time"]?.integer(), created > 0 else { return }
    report.launched = CrashReport.Timestamp(seconds: created)
    if report.captured.seconds >= created { report.process.uptime = Double(report.captured.seconds - created) }
  }

  private mutating func readAssertion() {
    if let info = record(0x4767_0001, .breakpadInfo) { extra["breakpad_info"] = .object(info) }
    guard let assertion = record(0x4767_0002, .assertion) else { return }
    extra["assertion"] = .object(assertion)
    let expression = assertion["expression"]?.string ?? ""
    let place = [assertion["function"]?.string, assertion["file"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
    guard !expression.isEmpty || !place.isEmpty else { return }
    let line: Int = assertion["line"]?.integer() ?? 0
    let words = "Assertion failed: \(expression)" + (place.isEmpty ? "" : ", \(place.joined(separator: ", ")):\(line)")
    report.lastWords["assertion", default: []].append(words)
  }

  /// The thread that asked for the dump or crashed, by Breakpad's own account.
  var requestingThread: UInt64? {
    guard let info = extra["breakpad_info"]?.object, let validity: UInt32 = info["validity"]?.integer(),
      validity & 2 != 0
    else { return nil }
    return info["requesting_thread_id"]?.integer()
  }

  /// The thread that wrote the dump, whose stack tells nothing.
  var writingThread: UInt64? {
    guard let info = extra["breakpad_info"]?.object, let validity: UInt32 = info["validity"]?.integer(),
      validity & 1 != 0
    else { return nil }
    return info["dump_thread_id"]?.integer()
  }
}

// MARK: - Threads

extension MinidumpReport {
  mutating func readThreads() {
    var names: [UInt64: String] = [:]
    for name in list(24, .threadName) {
      if let id: UInt64 = name["thread_id"]?.integer() { names[id] = name["thread_name"]?.string }
    }
    var infos: [UInt64: JSONValue.Object] = [:]
    taken.insert(17)
    for info in file.sizedList(17, .threadInfo) ?? [] {
      if let id: UInt64 = info["thread_id"]?.integer() { infos[id] = info }
    }
    for record in list(3, .thread) {
      var thread = CrashReport.Thread(id: record["thread_id"]?.integer() ?? 0)
      thread.name = names[thread.id]
      var rest = record
      rest["info"] = infos[thread.id].map(JSONValue.object)
      if let start: UInt64 = record["stack_start"]?.integer(), let part = file.part(record["stack"], of: "a stack") {
        stacks[report.threads.count] = MinidumpMemory.Range(start: start, bytes: part)
      }
      if let part = file.part(record["thread_context"], of: "a thread's context") {
        rest["context"] = file.raw(part)
        thread.registers = registers(part, of: report.threads.count, id: thread.id)
      }
      thread.extra["minidump"] = .object(rest)
      report.threads.append(thread)
    }
    readMemory()
  }

  /// The registers of a thread, which stay for its walk.
  private mutating func registers(
    _ part: UnsafeRawBufferPointer, of index: Int, id: UInt64
  ) -> CrashReport.Registers? {
    contexts[index] = MinidumpContext(
      part, processor: system.processor, isApple: system.isApple, isBigEndian: file.isBigEndian)
    if contexts[index] == nil { file.problem("the registers of thread \(id) are of an unknown kind") }
    return contexts[index]?.registers
  }

  private mutating func readMemory() {
    var known: [JSONValue] = []
    for record in list(5, .memory) {
      guard let start: UInt64 = record["start"]?.integer() else { continue }
      known.append(.object(record))
      if let part = file.part(record["memory"], of: "memory") {
        ranges.append(MinidumpMemory.Range(start: start, bytes: part))
      }
    }
    if !known.isEmpty { extra["memory"] = .array(known) }
    readLongMemory()
  }

  /// The whole memory of a process: one place in the file, and sizes.
  private mutating func readLongMemory() {
    guard let stream = file.stream(9) else { return }
    taken.insert(9)
    let head = file.record(
      MinidumpLayout([("count", .u64), ("base_rva", .u64)]), at: stream.offset, end: stream.offset + stream.size)
    guard var place: Int = head["base_rva"]?.integer(), let count: Int = head["count"]?.integer() else { return }
    let records = file.records(.memory64, at: stream.offset + 16, count: count, end: stream.offset + stream.size)
    for record in records {
      guard let start: UInt64 = record["start"]?.integer(), let size: Int = record["size"]?.integer() else { continue }
      let there = max(min(size, file.bytes.count - min(place, file.bytes.count)), 0)
      if there < size { file.problem("memory passes the end of the file") }
      if let part = file.part(at: place, size: there, of: "memory") {
        ranges.append(MinidumpMemory.Range(start: start, bytes: part))
      }
      place += there
    }
    extra["memory64"] = .object(head.merging(["ranges": .array(records.map(JSONValue.object))]) { $1 })
  }

  /// The exception: what happened, in which thread, with which registers.
  mutating func readException() {
    let exception = record(6, .exception)
    if let exception { extra["exception"] = .object(exception) }
    let id: UInt64? = exception?["thread_id"]?.integer() ?? requestingThread
    report.faultingThread = id.flatMap { id in report.threads.firstIndex { $0.id == id } }
    guard let exception else {
      if report.faultingThread == nil || requestingThread != nil { report.kind = .other }
      return
    }
    if let index = report.faultingThread, let part = file.part(exception["thread_context"], of: "the crash's context") {
      let id = report.threads[index].id
      report.threads[index].registers = registers(part, of: index, id: id)
      extra["crash_context"] = file.raw(part)
    }
    let reason = MinidumpReason(exception, system)
    report.exception = reason.exception
    if reason.exception == nil { report.kind = .other }
    extra["crash_reason"] = .string(reason.text)
    extra["crash_address"] = .string(reason.addressText)
  }
}
