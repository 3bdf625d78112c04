import CLibZstd
package import MPaaSSupport

/// A compressed file, or the difference between two files as `zstd --patch-from` makes it.
package enum ZstdFrame {
  private struct Damage: Error {}

  /// Decompresses a frame; nil where it is damaged, or other than `size` bytes come out.
  ///
  /// - Parameter reference: The bytes that a difference refers to; neither they nor what came out are copied.
  package static func content(of frame: Bytes, against reference: Bytes = .empty, size: Int) -> Bytes? {
    guard let context = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(context) }
    return withExtendedLifetime((frame, reference)) {
      guard ZSTD_isError(ZSTD_DCtx_refPrefix(context, reference.buffer.baseAddress, reference.count)) == 0 else {
        return nil
      }
      return try? Bytes(capacity: size) { (target: UnsafeMutableRawBufferPointer) throws(Damage) in
        let count = ZSTD_decompressDCtx(context, target.baseAddress, size, frame.buffer.baseAddress, frame.count)
        guard count == size else { throw Damage() }
        return size
      }
    }
  }
}

extension ZstdFrame {
  /// The bytes that a frame says come out of it; nil where it does not say, or is none.
  package static func contentSize(of frame: Bytes) -> Int? {
    withExtendedLifetime(frame) {
      let size = ZSTD_getFrameContentSize(frame.buffer.baseAddress, frame.count)
      // The two greatest numbers stand for "unknown" and for an error.
      return size >= UInt64.max - 1 ? nil : Int(exactly: size)
    }
  }
}
