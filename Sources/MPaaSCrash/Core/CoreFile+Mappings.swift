import MPaaSCrashReport
import MPaaSSupport

extension CoreFile {
  /// A range of memory that a core tells of.
  package struct Mapping: Sendable, Equatable {
    package let start: UInt64
    package let end: UInt64
    package let isReadable: Bool
    package let isWritable: Bool
    package let isExecutable: Bool
    /// The file that was mapped there, or the kernel's word for it: `[heap]`, `[stack]`, `[vdso]`; empty where there was
    /// none, or it is not told.
    package let path: String
    /// Bytes of it that the core holds.
    package let held: UInt64
  }

  /// The ranges of memory in order of their addresses.
  package var mappings: [Mapping] {
    let heap = heapStart
    return segments.map { segment in
      Mapping(
        start: segment.address, end: segment.end, isReadable: segment.isReadable, isWritable: segment.isWritable,
        isExecutable: segment.isExecutable,
        path: file(at: segment.address).map { CrashReport.withoutDeleted($0.path) } ?? word(for: segment, heap) ?? "",
        held: UInt64(segment.contents.count))
    }
  }

  private func file(at address: UInt64) -> CoreNotes.MappedFile? {
    notes.files.first { $0.start <= address && address < $0.end }
  }

  /// The kernel's word for memory without a file.
  private func word(for segment: Segment, _ heap: UInt64?) -> String? {
    if segment.address == notes.auxiliary[CoreNotes.vdso] { return "[vdso]" }
    if segment.address == heap { return "[heap]" }
    // The program's name lies at the outer end of the main thread's stack.
    guard let name = notes.auxiliary[CoreNotes.executableName], segment.address <= name, name < segment.end else {
      return nil
    }
    return "[stack]"
  }

  /// The start of what the C library grows with `brk`: the first memory behind the program and its variables, from which
  /// it lies up to a gigabyte away.
  private var heapStart: UInt64? {
    guard let program = programFile?.path,
      let end = notes.files.filter({ $0.path == program }).map(\.end).max()
    else { return nil }
    let next = segments.first { $0.address > end && $0.isWritable }
    guard let next, next.address - end <= 1 << 30, file(at: next.address) == nil else { return nil }
    return next.address
  }

  /// The file of the program that ended; nil where the core does not tell.
  package var programPath: String? { programFile.map { CrashReport.withoutDeleted($0.path) } }

  /// The mapping that holds the program's entry point; nil where the core does not tell.
  var programFile: CoreNotes.MappedFile? { notes.auxiliary[CoreNotes.entry].flatMap(file) }
}
