#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

extension UnsafeRawBufferPointer {
  /// The offset of the line feed that ends the line at `place`; the end where there is none.
  @inlinable
  @inline(__always)
  package func lineEnd(_ place: Int) -> Int {
    guard place < count, let start = baseAddress, let found = memchr(start + place, 0x0a, count - place) else {
      return count
    }
    return UnsafeRawPointer(found) - start
  }

  /// The bytes between, without a carriage return at the end.
  @inlinable
  @inline(__always)
  package func line(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    let last = end > start && self[end - 1] == 0x0d ? end - 1 : end
    return UnsafeRawBufferPointer(rebasing: self[start..<last])
  }
}
