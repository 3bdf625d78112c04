import CLogRing
import MPaaSSupport

/// Puts what a killed process had staged into files, once: for who holds the number of that writer.
struct LeftBehind {
  let folder: LogFolder
  let type: LogType
  let lane: Int

  /// The content of the staging files, whether their records could be put into files or not.
  struct Found: Sendable {
    /// The number behind all records; 0 where nothing tells.
    var nextSequence: UInt64 = 0
    /// Records that were dropped and that no record tells of.
    var dropped: UInt64 = 0
  }

  /// The staging files of this writer: the one that it would use itself, and those that the disk had no room for.
  private var paths: [String] {
    let staging = folder.staging(type, lane: lane).map { [$0] } ?? []
    let prefix = "left-\(lane)-"
    return staging.filter { FileStatus($0) != nil }
      + folder.stagings(of: type).filter { FileSystem.name(of: $0).hasPrefix(prefix) }
  }

  /// Seals all that is left; a file goes when all of it stands elsewhere.
  func recover(into files: HourFiles, boot: UInt64) -> Found {
    var found = Found()
    for path in paths {
      // A picture in memory of our own, which stays as it is.
      guard let file = try? Bytes.reading(path), let header = StagingHeader(file.buffer) else {
        try? FileSystem.remove(path)
        continue
      }
      let isDone = recover(file, header, into: files, boot: boot, &found)
      withExtendedLifetime(file) {}
      if isDone {
        found.dropped += header.dropped(file.buffer)
        try? FileSystem.remove(path)
      } else if FileSystem.name(of: path).hasPrefix("staging"), let kept = folder.folder(type) {
        try? FileSystem.rename(path, to: "\(kept)/left-\(lane)-\(String(header.id, radix: 16))\(LogStaging.suffix)")
      }
    }
    if found.nextSequence == 0 { found.nextSequence = sequenceOfFiles() }
    return found
  }

  private func recover(
    _ file: Bytes, _ header: StagingHeader, into files: HourFiles, boot: UInt64, _ found: inout Found
  ) -> Bool {
    var left: [(segment: StagingSegment, summary: StagedSummary)] = []
    for index in 0..<header.segmentCount {
      let segment = StagingSegment(UnsafeRawBufferPointer(rebasing: file.buffer[header.segment(index)]))
      found.nextSequence = max(found.nextSequence, segment.endSequence, segment.firstSequence)
      guard segment.state != .free, let summary = segment.summary() else { continue }
      found.nextSequence = max(found.nextSequence, summary.endSequence)
      left.append((segment, summary))
    }
    for (segment, summary) in left.sorted(by: { $0.summary.firstSequence < $1.summary.firstSequence })
    where !isSealed(segment.generation, header.id, summary) {
      guard write(segment, summary, header, to: files, boot: boot) else { return false }
    }
    return true
  }

  private func write(
    _ segment: StagingSegment, _ summary: StagedSummary, _ header: StagingHeader, to files: HourFiles, boot: UInt64
  ) -> Bool {
    let records = UnsafeRawBufferPointer(rebasing: segment.records[..<summary.size])
    if header.wrappedKey.isEmpty, header.boot == boot {
      return files.write(records, at: summary.firstTime, staging: header.id, generation: segment.generation)
    }
    let left = LeftSegment(
      wrappedKey: header.wrappedKey, boot: header.boot, generation: segment.generation, bytes: Array(records))
    return files.write(left, summary, staging: header.id)
  }

  /// Tells whether the process was killed when the block stood in its file already.
  private func isSealed(_ generation: UInt64, _ staging: UInt32, _ summary: StagedSummary) -> Bool {
    let hour = LogHour(summary.firstTime)
    for entry in folder.files(of: type)
    where entry.lane == lane && entry.day == hour.folder && entry.name.hasPrefix(hour.name) {
      guard let file = try? LogFile(path: entry.path) else { continue }
      let block = file.blocks.last { $0.chunk.staging == staging && $0.chunk.generation == generation }
      // A block that was cut short is none, whatever its header says.
      guard let block else { continue }
      let content = UnsafeRawBufferPointer(rebasing: file.bytes.buffer[block.content])
      if content.checksum == block.chunk.checksum { return true }
    }
    return false
  }

  /// The number behind all records of the files, where the staging file is gone.
  private func sequenceOfFiles() -> UInt64 {
    var next: UInt64 = 1
    var seen = Set<String>()
    for entry in folder.files(of: type).reversed() where entry.lane == lane {
      seen.insert(entry.day)
      // Clocks that are set make files of other days; the search goes no further back than this.
      if seen.count > 3 { break }
      guard let file = try? LogFile(path: entry.path) else { continue }
      for block in file.blocks { next = max(next, block.chunk.sequences.upperBound) }
    }
    return next
  }
}
