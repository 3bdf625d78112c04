import MPaaSSupport
import Synchronization

extension ELFImage {
  /// The `.gnu_debuglink` section: a name, padding to 4 bytes, a CRC-32 in the file's byte order.
  package var debugLink: DebugLink? {
    guard let contents = contents(named: ".gnu_debuglink") else { return nil }
    var cursor = ByteCursor(contents.buffer, bigEndian: header.bigEndian)
    guard let name = try? cursor.cString(), !name.isEmpty else { return nil }
    cursor.offset = (cursor.offset + 3) & ~3
    guard let checksum = try? cursor.u32() else { return nil }
    return DebugLink(name: String(utf8: name), checksum: checksum)
  }

  /// The `.gnu_debugaltlink` section: a path and the build ID of the file there.
  package var alternateDebugLink: AlternateDebugLink? {
    guard let contents = contents(named: ".gnu_debugaltlink") else { return nil }
    var cursor = ByteCursor(contents.buffer)
    guard let path = try? cursor.cString(), !path.isEmpty else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: contents.buffer[cursor.offset...])
    return AlternateDebugLink(path: String(utf8: path), buildID: BuildID(rest))
  }

  /// The ELF file inside `.gnu_debugdata` (MiniDebugInfo: symbols only, xz); nil where there is none or it is damaged.
  package var miniDebugImage: ELFImage? {
    if let known = cache.withLock({ $0.miniDebug }) { return known }
    let image = unpackedMiniDebug()
    return cache.withLock { cache in
      if let known = cache.miniDebug { return known }
      cache.miniDebug = .some(image)
      return image
    }
  }

  private func unpackedMiniDebug() -> ELFImage? {
    guard let packed = contents(named: ".gnu_debugdata"), !packed.isEmpty,
      let inner = try? Compression.xz.decompress(packed, expected: nil, limit: miniDebugLimit(packed)),
      let image = try? ELFImage(inner)
    else { return nil }
    return image
  }

  /// Symbol tables shrink to a fifth at best; the rest is room.
  private func miniDebugLimit(_ packed: Bytes) -> Int {
    min(packed.count, 1 << 40) * 64 + 1 << 16
  }
}
