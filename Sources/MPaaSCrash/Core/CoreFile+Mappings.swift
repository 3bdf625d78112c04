import MPaaSCrashReport
import MPaaSSupport

extension CoreFile {
  /// A range of memory that a core tells of.
  package struct Mapping: Sendable, Equatable {
    package let start: UInt64
    package let end: UInt64
    package let isWritable: Bool
    package let isExecutable: Bool
    /// The file that was mapped there; empty where there was none, or it is not told.
    package let path: String
    /// Bytes of it that the core holds.
    package let held: UInt64
  }

  /// The ranges of memory in order of their addresses.
  package var mappings: [Mapping] {
    segments.sorted { $0.address < $1.address }.map { segment in
      let file = notes.files.first { $0.start <= segment.address && segment.address < $0.end }
      return Mapping(
        start: segment.address, end: segment.end, isWritable: segment.isWritable, isExecutable: segment.isExecutable,
        path: file.map { CrashReport.withoutDeleted($0.path) } ?? "", held: UInt64(segment.contents.count))
    }
  }

  /// The file of the program that ended; nil where the core does not tell.
  package var programPath: String? {
    guard let entry = notes.auxiliary[9] else { return nil }
    return notes.files.first { $0.start <= entry && entry < $0.end }.map { CrashReport.withoutDeleted($0.path) }
  }
}
