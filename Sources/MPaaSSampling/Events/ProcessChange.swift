import CPerfEvents

/// A thing that happened to a process or a thread, by the kernel's word.
struct ProcessChange {
  enum Kind {
    /// It was started, by a thread of a process.
    case start(by: Int32, of: Int32)
    case end
    case name(String, isExec: Bool)
    case map(String, address: UInt64, length: UInt64, offset: UInt64)
  }

  let time: UInt64
  let process: Int32
  let thread: Int32
  let kind: Kind

  /// Nil for records of another kind.
  init?(_ record: mp_perf_record) {
    switch record.kind {
    case MP_PERF_START: kind = .start(by: record.parent_thread, of: record.parent)
    case MP_PERF_END: kind = .end
    case MP_PERF_NAME: kind = .name(record.text.map { String(cString: $0) } ?? "", isExec: record.is_exec)
    case MP_PERF_MAP:
      kind = .map(
        record.text.map { String(cString: $0) } ?? "", address: record.address, length: record.length,
        offset: record.offset)
    default: return nil
    }
    time = record.time
    process = record.process
    thread = record.thread
  }
}
