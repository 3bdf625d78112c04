import CLibZstd
import MPaaSSupport

/// A compressed archive, or the difference between two kits as `zstd --patch-from` makes it.
enum ZstdFrame {
  private struct Damage: Error {}

  /// Decompresses a frame; nil where it is damaged, or other than `size` bytes come out.
  ///
  /// - Parameter reference: The bytes that a difference refers to; neither they nor what came out are copied.
  static func content(of frame: Bytes, against reference: Bytes = .empty, size: Int) -> Bytes? {
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
