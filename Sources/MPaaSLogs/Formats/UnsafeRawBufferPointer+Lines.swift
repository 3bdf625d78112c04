import CLogScan

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension UnsafeRawBufferPointer {
  /// The offset of the line feed that ends the line at `place`; the end where there is none.
  @inline(__always)
  func lineEnd(_ place: Int) -> Int {
    guard place < count, let start = baseAddress, let found = memchr(start + place, 0x0a, count - place) else {
      return count
    }
    return UnsafeRawPointer(found) - start
  }

  /// Where the line begins that `place` lies in.
  @inline(__always)
  func lineStart(_ place: Int, notBefore least: Int) -> Int {
    guard place > least, let base = baseAddress?.assumingMemoryBound(to: CChar.self),
      let found = mp_log_find_last(base + least, place - least, 0x0a)
    else { return least }
    return found - base + 1
  }

  /// The bytes between, without a carriage return at the end.
  @inline(__always)
  func line(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    let last = end > start && self[end - 1] == 0x0d ? end - 1 : end
    return UnsafeRawBufferPointer(rebasing: self[start..<last])
  }
}
