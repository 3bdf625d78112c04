package import MPaaSSupport
import Synchronization

extension ELFImage {
  /// The bytes of a section, decompressed where it is compressed; those of a section without bytes are empty.
  ///
  /// - Throws: `ELFError` where the section passes the end of the file or its compressed data is damaged.
  /// - Source: gABI "Compression Header"; `.zdebug_*`: "ZLIB", the size in 8 bytes big-endian, a zlib stream.
  package func contents(of section: ELFSection) throws(ELFError) -> Bytes {
    guard section.type != .noBits, section.type != .null else { return .empty }
    guard let stored = bytes.slice(at: section.offset, size: section.size) else {
      throw ELFError(code: .sectionPastEnd, offset: sizeField(of: section), value: section.size)
    }
    guard let form = try compressedForm(of: section, stored) else { return stored }
    if let known = cache.withLock({ $0.contents[section.index] }) { return known }
    let contents = try decompress(form, section)
    return cache.withLock { cache in
      if let known = cache.contents[section.index] { return known }
      cache.contents[section.index] = contents
      return contents
    }
  }

  /// The bytes of the first section of that name; nil where there is none or it cannot be read.
  package func contents(named name: String) -> Bytes? {
    guard let section = section(named: name), section.type != .noBits else { return nil }
    return try? contents(of: section)
  }

  /// The contents of a large section that is compressed by zlib, decompressed as they are read; nil for others.
  func lazyContents(named name: String) -> LazyContents? {
    guard let section = section(named: name), section.type != .noBits,
      let stored = bytes.slice(at: section.offset, size: section.size),
      let form = try? compressedForm(of: section, stored), form.compression == .zlib,
      let size = Int(exactly: form.size), size >= Self.worthBeingLazy, form.size / 1032 <= UInt64(form.data.count)
    else { return nil }
    return cache.withLock { cache in
      if let known = cache.lazyContents[section.index] { return known }
      guard cache.contents[section.index] == nil, size <= allowance - cache.decompressed,
        let contents = LazyContents(form.data, size: size)
      else { return nil }
      cache.decompressed += size
      cache.lazyContents[section.index] = contents
      return contents
    }
  }

  /// Smaller sections are decompressed in less time than anybody notices.
  private static let worthBeingLazy = 1 << 24

  private struct CompressedForm {
    let compression: Compression
    let data: Bytes
    /// The size that the header announces.
    let size: UInt64
    /// The offset of the announcement in the file.
    let sizeOffset: UInt64
  }

  private func compressedForm(of section: ELFSection, _ stored: Bytes) throws(ELFError) -> CompressedForm? {
    if section.flags.contains(.compressed) { return try headedForm(of: section, stored) }
    guard stored.count >= 12, stored.buffer.prefix(4).elementsEqual("ZLIB".utf8),
      name(of: section).hasPrefix(".zdebug_")
    else { return nil }
    let size = stored.buffer[4..<12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return CompressedForm(
      compression: .zlib, data: part(stored, from: 12), size: size, sizeOffset: section.offset &+ 4)
  }

  private func headedForm(of section: ELFSection, _ stored: Bytes) throws(ELFError) -> CompressedForm {
    var cursor = ByteCursor(stored.buffer, bigEndian: header.bigEndian)
    do throws(ByteError) {
      let type = try cursor.u32()
      if header.is64 { try cursor.skip(4) }
      let sizeOffset = cursor.offset
      let size = try cursor.unsigned(size: header.addressSize)
      try cursor.skip(header.addressSize)
      let compression: Compression
      switch type {
      case 1: compression = .zlib
      case 2: compression = .zstd
      default: throw ByteError(code: .unsupportedSize, offset: Int(type))
      }
      return CompressedForm(
        compression: compression, data: part(stored, from: cursor.offset), size: size,
        sizeOffset: section.offset &+ UInt64(sizeOffset))
    } catch {
      let value = error.code == .unsupportedSize ? UInt64(error.offset) : section.size
      throw ELFError(code: .badCompression, offset: section.offset, value: value)
    }
  }

  private func part(_ stored: Bytes, from start: Int) -> Bytes {
    stored.slice(at: UInt64(start), size: UInt64(stored.count - start)) ?? .empty
  }

  private func decompress(_ form: CompressedForm, _ section: ELFSection) throws(ELFError) -> Bytes {
    // Deflate cannot give more than 1032 bytes for one, and no debug information comes near that with zstd.
    guard let size = Int(exactly: form.size), form.size / 1032 <= UInt64(form.data.count) else {
      throw ELFError(code: .absurdSize, offset: form.sizeOffset, value: form.size)
    }
    guard take(size) else {
      throw ELFError(code: .absurdSize, offset: form.sizeOffset, value: form.size)
    }
    do throws(Compression.Failure) {
      return try form.compression.decompress(form.data, expected: size, limit: size)
    } catch {
      giveBack(size)
      throw ELFError(code: .damagedCompression, offset: section.offset, value: section.size)
    }
  }

  /// The bytes that all sections of this file together may decompress to: far more than any compiler's output, far less
  /// than a bomb's.
  var allowance: Int {
    let (scaled, overflow) = bytes.count.multipliedReportingOverflow(by: 32)
    return overflow ? .max : max(scaled, 1 << 24)
  }

  func take(_ size: Int) -> Bool {
    cache.withLock { cache in
      guard size <= allowance - cache.decompressed else { return false }
      cache.decompressed += size
      return true
    }
  }

  func giveBack(_ size: Int) {
    cache.withLock { $0.decompressed -= size }
  }

  private func sizeField(of section: ELFSection) -> UInt64 {
    header.sectionTable.offset &+ UInt64(section.index) &* ELFSection.entrySize(is64: header.is64)
      &+ ELFSection.sizeField(is64: header.is64)
  }
}
