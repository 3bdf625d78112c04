import CLibZstd
package import MPaaSSupport

/// The reason why no difference was made.
package struct DeltaError: Error, Sendable, Equatable {
  /// The library's word for it.
  package let reason: String
}

extension ZstdFrame {
  /// The level of differences: beyond it they take much longer, and are hardly smaller.
  package static let differenceLevel: Int32 = 19

  /// The difference that leads from `old` to `new`, as `zstd -19 --patch-from` makes it.
  ///
  /// The window is as large as both files ask for, and matches are searched over all of it; `content(of:against:size:)`
  /// and `zstd --decompress --patch-from` lead back. Source: RFC 8878, and the manual of libzstd 1.5
  /// (`ZSTD_CCtx_refPrefix`).
  ///
  /// - Throws: `DeltaError` where the library refuses, such as for want of memory.
  package static func difference(
    from old: Bytes, to new: Bytes, level: Int32 = differenceLevel
  ) throws(DeltaError) -> Bytes {
    guard let context = ZSTD_createCCtx() else { throw DeltaError(reason: "memory") }
    defer { ZSTD_freeCCtx(context) }
    let parameters: [(ZSTD_cParameter, Int32)] = [
      (ZSTD_c_compressionLevel, level), (ZSTD_c_windowLog, windowLog(max(old.count, new.count))),
      (ZSTD_c_enableLongDistanceMatching, 1), (ZSTD_c_checksumFlag, 1),
    ]
    for (parameter, value) in parameters { try check(ZSTD_CCtx_setParameter(context, parameter, value)) }
    return try withExtendedLifetimes(old, new) { () throws(DeltaError) in
      try check(ZSTD_CCtx_refPrefix(context, old.buffer.baseAddress, old.count))
      return try Bytes(capacity: ZSTD_compressBound(new.count)) {
        (room: UnsafeMutableRawBufferPointer) throws(DeltaError) in
        try check(ZSTD_compress2(context, room.baseAddress, room.count, new.buffer.baseAddress, new.count))
      }
    }
  }

  /// The logarithm of a window that holds a file of `size` bytes and more, within what the library takes.
  private static func windowLog(_ size: Int) -> Int32 {
    let bits = Int32(Int.bitWidth - max(size, 1).leadingZeroBitCount)
    return min(max(bits, 10), Int32(ZSTD_cParam_getBounds(ZSTD_c_windowLog).upperBound))
  }

  @discardableResult
  private static func check(_ result: Int) throws(DeltaError) -> Int {
    guard ZSTD_isError(result) == 0 else { throw DeltaError(reason: String(cString: ZSTD_getErrorName(result))) }
    return result
  }

  private static func withExtendedLifetimes<Value>(
    _ old: Bytes, _ new: Bytes, _ body: () throws(DeltaError) -> Value
  ) throws(DeltaError) -> Value {
    defer { withExtendedLifetime((old, new)) {} }
    return try body()
  }
}
