#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A part of a file that is written as memory: what is written outlives the process.
///
/// Its room is on the disk beforehand and its length was checked, so that no write to it can fail. Not for two threads
/// at once.
package final class FileWindow {
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
    mapping = memory
    (start, end) = (range.lowerBound, range.upperBound)
    front = Int(range.lowerBound - aligned)
  }

  deinit { munmap(mapping, mappedSize) }

  /// Memory for bytes at a place; nil where they do not all lie inside.
  @inline(__always)
  func memory(at offset: UInt64, _ count: Int) -> UnsafeMutableRawPointer? {
    guard offset >= start, offset &+ UInt64(count) <= end else { return nil }
    return mapping + front + Int(offset &- start)
  }
}
