#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A part of a file that is written as memory: what is written outlives the process.
///
/// Its room is on the disk beforehand, and each write looks first whether the file is still as long: the memory behind
/// the end of a file that another program has cut off ends a process (SIGBUS). Not for two threads at once.
package final class FileWindow {
  /// The file, which its owner keeps open.
  private let descriptor: Int32
  private let mapping: UnsafeMutableRawPointer
  private let mappedSize: Int
  /// The place in the file of the first byte that the window is for.
  let start: UInt64
  /// The end in the file.
  let end: UInt64
  private let front: Int

  /// Maps a range of a file; nil where the system cannot.
  init?(_ descriptor: Int32, _ range: Range<UInt64>) {
    let page = UInt64(getpagesize())
    let aligned = range.lowerBound / page * page
    mappedSize = Int(range.upperBound - aligned)
    guard
      let memory = mmap(nil, mappedSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(aligned)),
      memory != MAP_FAILED
    else { return nil }
    (self.descriptor, mapping) = (descriptor, memory)
    (start, end) = (range.lowerBound, range.upperBound)
    front = Int(range.lowerBound - aligned)
  }

  deinit { munmap(mapping, mappedSize) }

  /// The outcomes of a write.
  enum Outcome { case written, outside, cut }

  /// Writes bytes at a place, unless they do not all lie inside, or the file ends before the window does.
  @inline(__always)
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Outcome {
    guard offset >= start, offset &+ UInt64(bytes.count) <= end else { return .outside }
    guard lseek(descriptor, 0, SEEK_END) >= off_t(end) else { return .cut }
    if let source = bytes.baseAddress {
      (mapping + front + Int(offset &- start)).copyMemory(from: source, byteCount: bytes.count)
    }
    return .written
  }
}
