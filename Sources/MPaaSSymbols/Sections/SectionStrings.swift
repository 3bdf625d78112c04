import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension UnsafeRawBufferPointer {
  /// The number of bytes before the first NUL; nil where there is none.
  var cStringLength: Int? {
    guard let baseAddress, count > 0, let end = memchr(baseAddress, 0, count) else { return nil }
    return UnsafeRawPointer(end) - baseAddress
  }

  /// Longer strings than this are no names or paths; the longest that compilers write are a tenth.
  private static let longestString = 1 << 20

  /// The NUL-terminated string at `offset`, without its NUL; nil where it does not end inside.
  func cString(at offset: UInt64) -> UnsafeRawBufferPointer? {
    guard offset < UInt64(count) else { return nil }
    let start = Int(offset)
    let rest = UnsafeRawBufferPointer(rebasing: self[start..<Swift.min(count, start + Self.longestString)])
    return rest.cStringLength.map { UnsafeRawBufferPointer(rebasing: rest[..<$0]) }
  }
}
