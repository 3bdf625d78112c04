import CTrace
import MPaaSSupport

/// The facts of a core's notes about the process: its threads, its end, and the files that were mapped.
///
/// Source: `struct elf_prstatus`, `elf_prpsinfo` (`sys/procfs.h`), NT_FILE and NT_AUXV as `core(5)` names them, for
/// 64-bit little-endian systems. Notes that are cut off or make no sense are left out.
struct CoreNotes: Sendable {
  struct Thread: Sendable {
    let id: Int32
    /// The signal that the thread was stopped by, 0 for those that only died with the others.
    let signal: Int32
    let state: ThreadState
  }

  struct MappedFile: Sendable {
    let start: UInt64
    let end: UInt64
    /// Bytes from the start of the file.
    let offset: UInt64
    let path: String
  }

  struct ProcessInfo: Sendable {
    var name = ""
    var arguments = ""
    var pid: Int32 = 0
    var parent: Int32 = 0
    var user: UInt32 = 0
  }

  /// The one that the signal was delivered to comes first.
  private(set) var threads: [Thread] = []
  private(set) var process: ProcessInfo?
  private(set) var signal: mt_signal?
  /// In order of their addresses.
  private(set) var files: [MappedFile] = []
  /// The auxiliary vector (`getauxval(3)`), by its types.
  private(set) var auxiliary: [UInt64: UInt64] = [:]

  /// `AT_ENTRY`: the address at which the program begins.
  static let entry: UInt64 = 9
  /// `AT_EXECFN`: where the name stands by which the program was started.
  static let executableName: UInt64 = 31
  /// `AT_SYSINFO_EHDR`: the vDSO.
  static let vdso: UInt64 = 33

  /// Reads the notes of one segment.
  mutating func read(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    while cursor.remaining >= 12 {
      guard let note = try? Self.note(&cursor) else { return }
      guard note.name.starts(with: "CORE".utf8) else { continue }
      var contents = ByteCursor(note.contents)
      try? take(note.type, &contents)
    }
  }

  private static func note(
    _ cursor: inout ByteCursor
  ) throws(ByteError) -> (type: UInt32, name: UnsafeRawBufferPointer, contents: UnsafeRawBufferPointer) {
    let nameSize = Int(try cursor.u32())
    let size = Int(try cursor.u32())
    let type = try cursor.u32()
    let name = try cursor.bytes(nameSize)
    try cursor.skip((4 - nameSize % 4) % 4)
    let contents = try cursor.bytes(size)
    // The last note may end without its padding.
    try cursor.skip(min((4 - size % 4) % 4, cursor.remaining))
    return (type, name, contents)
  }

  private mutating func take(_ type: UInt32, _ cursor: inout ByteCursor) throws(ByteError) {
    switch type {
    case 1: threads.append(try Self.thread(&cursor))  // NT_PRSTATUS
    case 3: process = try Self.processInfo(&cursor)  // NT_PRPSINFO
    case 6: try readAuxiliary(&cursor)  // NT_AUXV
    case 0x5349_4749:  // NT_SIGINFO; the first belongs to the first thread
      let found = try Self.signal(&cursor)
      signal = signal ?? found
    case 0x4649_4c45: files = try Self.files(&cursor)  // NT_FILE
    default: break
    }
  }

  private static func thread(_ cursor: inout ByteCursor) throws(ByteError) -> Thread {
    cursor.offset = 12
    let signal = Int16(bitPattern: try cursor.u16())
    cursor.offset = 32
    let id = Int32(bitPattern: try cursor.u32())
    cursor.offset = 112
    var values: [UInt64] = []
    for _ in 0..<ThreadState.count { values.append(try cursor.u64()) }
    return Thread(id: id, signal: Int32(signal), state: ThreadState(values: values))
  }

  private static func processInfo(_ cursor: inout ByteCursor) throws(ByteError) -> ProcessInfo {
    var info = ProcessInfo()
    cursor.offset = 16
    info.user = try cursor.u32()
    try cursor.skip(4)
    info.pid = Int32(bitPattern: try cursor.u32())
    info.parent = Int32(bitPattern: try cursor.u32())
    cursor.offset = 40
    info.name = text(try cursor.bytes(16))
    info.arguments = text(try cursor.bytes(80)).trimmed
    return info
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func signal(_ cursor: inout ByteCursor) throws(ByteError) -> mt_signal {
    var signal = mt_signal()
    signal.signal = Int32(bitPattern: try cursor.u32())
    signal.error = Int32(bitPattern: try cursor.u32())
    signal.code = Int32(bitPattern: try cursor.u32())
    try cursor.skip(4)
    let value = try cursor.u64()
    if signal.code > 0 {
      signal.address = value
    } else {
      signal.sender = Int32(truncatingIfNeeded: value)
    }
    return signal
  }

  private mutating func readAuxiliary(_ cursor: inout ByteCursor) throws(ByteError) {
    while cursor.remaining >= 16 {
      let type = try cursor.u64()
      let value = try cursor.u64()
      if type == 0 { return }
      auxiliary[type] = value
    }
  }

  private static func files(_ cursor: inout ByteCursor) throws(ByteError) -> [MappedFile] {
    let count = try cursor.u64()
    let pageSize = try cursor.u64()
    guard count <= UInt64(cursor.remaining) / 24 else {
      throw ByteError(code: .truncated, offset: cursor.offset)
    }
    var ranges: [(start: UInt64, end: UInt64, offset: UInt64)] = []
    for _ in 0..<count {
      let range = (try cursor.u64(), try cursor.u64(), try cursor.u64())
      ranges.append((range.0, range.1, range.2.multipliedReportingOverflow(by: pageSize).partialValue))
    }
    var files: [MappedFile] = []
    for range in ranges {
      let path = String(utf8: try cursor.cString())
      guard range.start < range.end else { continue }
      files.append(MappedFile(start: range.start, end: range.end, offset: range.offset, path: path))
    }
    return files.sorted { $0.start < $1.start }
  }
}
