import MPaaSAge
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The way of bytes to the disk; tests put a full one in its place.
struct LogDisk: Sendable {
  /// Writes to a descriptor and says how many bytes it took; negative with `errno` where it took none.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int

  static let live = LogDisk { FileSystem.writeOnce($0, $1) }
}

/// Appends blocks to the files of one type, the file of each block's hour.
///
/// For one thread at a time.
final class HourFiles {
  private final class Open {
    let hour: LogHour
    let file: OpenFile
    let part: PartEncoder
    var size: Int
    var hasBegun = false

    init(_ hour: LogHour, _ file: consuming OpenFile, _ part: PartEncoder, size: Int) {
      self.hour = hour
      self.file = file
      self.part = part
      self.size = size
    }
  }

  /// A writer's rules for its files.
  struct Rules: Sendable {
    var recipients: [AgeRecipient]
    var largestFile: Int
    var lane: Int
    var boot: UInt64
    var clock: LogClock
    var disk: LogDisk
  }

  private let folder: LogFolder
  private let type: LogType
  private let rules: Rules
  private let blocks: BlockEncoder
  /// Makes room on a full disk: whether it removed something, which must not be the file of this path.
  private let makeRoom: (_ except: String) -> Bool
  private let wrote: (_ bytes: Int) -> Void
  private var open: Open?
  /// Files that were left, and may be in the system's memory only.
  private var unsettled: [Open] = []

  init(
    _ folder: LogFolder, _ type: LogType, rules: Rules, blocks: BlockEncoder, makeRoom: @escaping (String) -> Bool,
    wrote: @escaping (Int) -> Void
  ) {
    self.folder = folder
    self.type = type
    self.rules = rules
    self.blocks = blocks
    self.makeRoom = makeRoom
    self.wrote = wrote
  }

  /// The file that is being written; nil where there is none.
  var path: String? { open?.file.path }

  /// Writes staged records, not encrypted, as a block of the file of `time`'s hour; false where the disk has no room.
  func write(_ records: UnsafeRawBufferPointer, at time: Int64, staging: UInt32, generation: UInt64) -> Bool {
    guard let part = file(of: LogHour(time)) else { return false }
    guard let block = part.block(records, staging: staging, generation: generation) else { return false }
    return append(block)
  }

  /// Writes what a killed process had staged.
  func write(_ left: LeftSegment, _ summary: StagedSummary, staging: UInt32) -> Bool {
    guard let part = file(of: LogHour(summary.firstTime)) else { return false }
    guard let block = part.block(left, summary, staging: staging) else { return false }
    return append(block)
  }

  private func append(_ block: UnsafeRawBufferPointer) -> Bool {
    if let open, !open.hasBegun {
      guard put(open.part.beginning) else { return false }
      open.hasBegun = true
    }
    return put(block, isBlock: true)
  }

  private func put(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { put($0, isBlock: false) } }

  /// Appends all of `bytes` or nothing.
  private func put(_ bytes: UnsafeRawBufferPointer, isBlock: Bool) -> Bool {
    guard let open else { return false }
    repeat {
      if writeAll(bytes, to: open.file.descriptor) {
        open.part.wrote(bytes, isBlock: isBlock)
        open.size += bytes.count
        wrote(bytes.count)
        return true
      }
      // Bytes that did get there are taken back, so that the next block begins where this one should have.
      ftruncate(open.file.descriptor, off_t(open.size))
    } while (errno == ENOSPC || errno == EDQUOT) && makeRoom(open.file.path)
    return false
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rules.disk.write(descriptor, rest)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 || errno != EINTR {
        let failure = count == 0 ? ENOSPC : errno
        defer { errno = failure }
        return false
      }
    }
    return true
  }

  /// The part that is written in the file of `hour`, opened if need be; nil where it cannot be.
  private func file(of hour: LogHour) -> PartEncoder? {
    if let open, open.hour == hour, open.size < rules.largestFile { return open.part }
    finish()
    guard let folder = folder.folder(type) else { return nil }
    let day = folder + "/" + hour.folder
    for _ in 0..<2 {
      if let opened = openFile(of: hour, in: day) {
        open = opened
        return opened.part
      }
      guard (try? Directories.create(day)) != nil || makeRoom("") else { return nil }
    }
    return nil
  }

  private func openFile(of hour: LogHour, in day: String) -> Open? {
    let name = LogFolder.named(hour.name, rules.lane)
    for number in 0..<10_000 {
      let path = "\(day)/\(name)\(number == 0 ? "" : ".\(number)")\(LogFolder.suffix)"
      let size = FileStatus(path)?.size ?? 0
      if size >= UInt64(rules.largestFile) { continue }
      guard let file = try? OpenFile(path, .appending(0o600)) else { return nil }
      let part = try? PartEncoder(
        type, lane: rules.lane, boot: rules.boot, created: rules.clock.now().wall, recipients: rules.recipients,
        blocks: blocks)
      guard let part else { return nil }
      let whole = Self.whole(file)
      return Open(hour, file, part, size: whole)
    }
    return nil
  }

  /// The size of a file, once the torn end that a killed process left was cut off: its records are still staged.
  private static func whole(_ file: borrowing OpenFile) -> Int {
    guard let bytes = try? Bytes.mapping(file.path), let log = try? LogFile(bytes, path: file.path) else {
      return Int(clamping: FileStatus(file.path)?.size ?? 0)
    }
    guard let gap = log.gaps.last, gap.range.upperBound == bytes.count, gap.reason == .torn,
      ftruncate(file.descriptor, off_t(gap.range.lowerBound)) == 0
    else { return bytes.count }
    return gap.range.lowerBound
  }

  /// Ends the part that is being written: its index, and no more blocks.
  func finish() {
    guard let done = open else { return }
    if done.hasBegun, let ending = done.part.ending { _ = put(ending) }
    unsettled.append(done)
    open = nil
    if unsettled.count > 16 { settle() }
  }

  /// Has all that was written survive a loss of power.
  func settle() {
    for left in unsettled { try? left.file.settle() }
    unsettled.removeAll()
    if let open {
      try? open.file.settle()
      FileSystem.settle(FileSystem.folder(of: open.file.path))
    }
  }
}
