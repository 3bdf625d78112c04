import CLibZstd
package import MPaaSLogs
import MPaaSSupport

/// The buffer of a decoded block, used again for the next one: one thread at a time.
///
/// Texts are places in `bytes`, which is valid until the next block.
package final class LogBlockBuffer {
  private var memory: UnsafeMutableRawBufferPointer
  private var used = 0
  private let context = ZSTD_createDCtx()
  /// The records, once `makeViews` was asked for them.
  package private(set) var views: [LogRecordView] = []
  package private(set) var labels: [LogLabel] = []
  /// The place of the messages and fields are, each followed by a line feed where the block is in columns: what a
  /// search may look through before any record is made.
  package private(set) var text: Range<Int> = 0..<0
  package private(set) var type = LogType.diagnostic
  package private(set) var boot: UInt64 = 0
  private var columns: LogColumns?

  package init() {
    memory = .allocate(byteCount: 1 << 18, alignment: 16)
  }

  deinit {
    ZSTD_freeDCtx(context)
    memory.deallocate()
  }

  /// All that was decoded.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<used]) }

  package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[range])
  }

  package func string(_ range: Range<Int>) -> String { String(utf8: bytes(range)) }
  package func tag(_ view: LogRecordView) -> UnsafeRawBufferPointer { bytes(labels[Int(view.label)].tag) }

  /// A record with values of its own.
  package func record(_ view: LogRecordView) -> LogRecord {
    let label = labels[Int(view.label)]
    let entry = LogEntry(
      view.level, string(label.tag), string(view.message), type: type, subsystem: string(label.subsystem),
      fields: LogFields.values(bytes(view.fields)))
    return LogRecord(
      entry, sequence: view.sequence, time: view.time, monotonic: view.monotonic, thread: view.thread, boot: boot,
      followsClockJump: view.flags.contains(.followsClockJump))
  }

  func begin(_ part: LogPart, boot: UInt64? = nil) {
    begin(part.type, boot: boot ?? part.boot)
  }

  func begin(_ type: LogType, boot: UInt64) {
    self.type = type
    self.boot = boot
    views.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    columns = nil
    text = 0..<0
    used = 0
  }

  /// Memory for `size` bytes, which becomes what was decoded.
  private func room(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if memory.count < size {
      memory.deallocate()
      memory = .allocate(byteCount: size + size / 4, alignment: 16)
    }
    used = size
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
  }

  /// Takes the plain content of a chunk; false where it is not compressed data of that size.
  func fill(_ stored: UnsafeRawBufferPointer, _ chunk: LogChunk) -> Bool {
    guard chunk.plainSize <= LogChunk.largestContent else { return false }
    let target = room(chunk.plainSize)
    if chunk.flags.contains(.compressed) {
      let size = ZSTD_decompressDCtx(context, target.baseAddress, target.count, stored.baseAddress, stored.count)
      return ZSTD_isError(size) == 0 && size == target.count
    }
    guard stored.count == target.count else { return false }
    target.copyMemory(from: stored)
    return true
  }

  /// Looks at the content as columns; false where they cannot be.
  func openColumns(_ chunk: LogChunk) -> Bool {
    guard let columns = LogColumns(bytes, chunk) else { return false }
    self.columns = columns
    text = columns.text
    return true
  }

  /// Makes `views` and `labels` of a decoded block; they stay until the next one.
  ///
  /// - Throws: `LogError` `log-block-damaged` where the block's columns contradict each other.
  package func makeViews() throws(LogError) {
    guard let columns else { return }
    self.columns = nil
    guard columns.read(bytes, into: &views, labels: &labels) else {
      views.removeAll()
      throw LogError(.blockDamaged, ["reason": "columns"])
    }
  }

  /// Takes staged records as they are in memory, and decrypts them by the keystream where there is one.
  func fillStaged(_ segment: UnsafeRawBufferPointer, generation: UInt64, keystream: UnsafeRawBufferPointer?) {
    let target = room(segment.count)
    target.copyMemory(from: segment)
    text = 0..<segment.count
    var offset = 0
    while let record = StagedRecord(UnsafeRawBufferPointer(target), at: offset, generation: generation) {
      if let keystream, record.end <= keystream.count {
        for place in record.body { target[place] ^= keystream[place] }
      }
      labels.append(LogLabel(tag: record.tag, subsystem: record.subsystem))
      views.append(record.view(label: UInt32(labels.count - 1)))
      offset = record.end
    }
  }
}
