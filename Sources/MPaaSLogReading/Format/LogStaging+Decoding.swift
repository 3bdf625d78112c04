package import MPaaSLogs
import MPaaSSupport

extension LogStaging {
  /// Decrypts a segment into `buffer`, records and all.
  ///
  /// - Throws: `LogError` `log-key-missing`.
  package func decode(_ segment: Segment, keys: LogKeys, into buffer: LogBlockBuffer) throws(LogError) {
    let left = LeftSegment(
      wrappedKey: wrappedKey, boot: boot, generation: segment.chunk.generation, bytes: segment.bytes)
    guard buffer.fill(left, type, keys: keys) else {
      throw LogError(.keyMissing, ["path": path], at: .file(path))
    }
  }
}
