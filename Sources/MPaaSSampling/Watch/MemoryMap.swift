package import MPaaSCrash
import MPaaSSupport

/// The ranges of a process' memory, as `/proc/PID/smaps` has them (`proc_pid_smaps(5)`).
package struct MemoryMap: Sendable, Equatable {
  package let ranges: [MemoryRange]
  /// Bytes that a core lacks, because it was cut off; nil of a process that runs.
  package internal(set) var missing: UInt64?
  /// The files with code among the ranges; all ranges of such a file are of its kind.
  private let codeFiles: Set<String>
  /// The program's own file.
  private let program: String?

  /// Reads the text; lines that are none of such a file are passed over.
  ///
  /// - Parameter program: The path of the program's file, where it is known.
  package init(_ text: String, program: String? = nil) {
    var ranges: [MemoryRange] = []
    for line in text.split(separator: "\n") {
      if let range = Self.range(line) {
        ranges.append(range)
      } else if !ranges.isEmpty, let (name, bytes) = Self.amount(line) {
        ranges[ranges.count - 1].take(name, bytes)
      }
    }
    self.init(ranges, program: program)
  }

  init(_ ranges: [MemoryRange], program: String?) {
    self.ranges = ranges
    codeFiles = Set(ranges.filter { $0.isExecutable && $0.path.hasPrefix("/") }.map(\.path))
    self.program = program
  }

  /// The memory of a process that runs.
  ///
  /// - Throws: `CaptureError`: not there, or not permitted.
  package static func live(_ process: Int32) throws(CaptureError) -> MemoryMap {
    guard let text = ProcFile.text("/proc/\(process)/smaps") else {
      throw CaptureError(ProcessStatus(of: process) == nil ? .noSuchProcess : .refused, process: process)
    }
    return MemoryMap(text, program: try? FileSystem.target(ofLink: "/proc/\(process)/exe"))
  }

  /// `start-end permissions offset device inode path`.
  private static func range(_ line: Substring) -> MemoryRange? {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard fields.count >= 5, let dash = fields[0].firstIndex(of: "-"),
      let start = UInt64(fields[0][..<dash], radix: 16),
      let end = UInt64(fields[0][fields[0].index(after: dash)...], radix: 16), start <= end,
      fields[1].utf8.count == 4, let inode = UInt64(fields[4])
    else { return nil }
    let path = fields.count > 5 ? fields[5].drop { $0 == " " } : ""
    return MemoryRange(
      start: start, end: end, permissions: String(fields[1]), inode: inode, path: String(path))
  }

  /// `Name:   number kB`, in bytes.
  private static func amount(_ line: Substring) -> (name: Substring, bytes: UInt64)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let words = line[line.index(after: colon)...].split(separator: " ")
    guard words.count == 2, words[1] == "kB", let number = UInt64(words[0]) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1024)
    return overflow ? nil : (line[..<colon], bytes)
  }

  /// The kind of a range.
  package func kind(of range: MemoryRange) -> MemoryKind {
    let path = range.path
    if path == "[heap]" { return .heap }
    if path == "[stack]" { return .stack }
    if path.hasPrefix("[anon") || path.isEmpty { return range.isShared ? .shared : .anonymous }
    if path.hasPrefix("[") { return .kernel }
    if path.hasPrefix("/dev/shm/") || path.hasPrefix("/memfd:") || path.hasPrefix("/SYSV") { return .shared }
    if path.hasPrefix("/dev/zero") { return range.isShared ? .shared : .anonymous }
    if path == program { return .program }
    return codeFiles.contains(path) ? .libraries : .files
  }

  /// Sums over all ranges, and by kind.
  package var sums: MemorySums { MemorySums(self) }
}

extension MemoryRange {
  fileprivate mutating func take(_ name: Substring, _ bytes: UInt64) {
    switch name {
    case "Rss": resident = bytes
    case "Pss": proportional = bytes
    case "Swap": swapped = bytes
    case "Private_Dirty": dirty = bytes
    default: break
    }
  }
}

/// The memory of a process in numbers: bytes.
package struct MemorySums: Sendable, Equatable {
  package struct Amount: Sendable, Equatable, Encodable {
    package var count = 0
    package var size: UInt64 = 0
    package var resident: UInt64 = 0
    package var proportional: UInt64 = 0
    package var dirty: UInt64 = 0
    package var swapped: UInt64 = 0

    mutating func add(_ range: MemoryRange) {
      count += 1
      size &+= range.size
      resident &+= range.resident
      proportional &+= range.proportional
      dirty &+= range.dirty
      swapped &+= range.swapped
    }
  }

  package private(set) var all = Amount()
  package private(set) var byKind: [MemoryKind: Amount] = [:]

  init(_ map: MemoryMap) {
    for range in map.ranges {
      all.add(range)
      byKind[map.kind(of: range), default: Amount()].add(range)
    }
  }
}
