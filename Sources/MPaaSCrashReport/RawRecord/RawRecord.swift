import MPaaSBase

/// The record that the crash handler writes while the process dies.
///
/// The layout is described in `Sources/CCrashHandler/include/mp_record.h`: a header, then sections of kind, length,
/// payload and CRC-32. A record that was cut off is of use up to its last whole section.
package enum RawRecord {
  static let magic: [UInt8] = Array("MPCRASH\n".utf8)
  static let version: UInt32 = 1
  static let headerSize = 16

  /// `mp_record_kind`.
  enum Kind: UInt32 {
    case process = 1
    case crash, thread, image, memory, lastWords, breadcrumbs, note, end, lua, stack, hang, sample, hangEnd
  }

  /// Tells whether `bytes` begin as a record does.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.prefix(magic.count).elementsEqual(magic)
  }

  /// Makes a report of a record.
  ///
  /// A damaged section ends the reading; the report is partial then.
  ///
  /// - Parameter complete: Gets the report and the crashed thread's stack, where the handler had to guess or stop.
  /// - Throws: `RawRecordError` where not even the crash and the crashed thread are there, or the hang and a stack.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, complete: (inout CrashReport, KeptStack) -> Void = { _, _ in }
  ) throws(RawRecordError) -> CrashReport {
    guard recognises(bytes), bytes.count >= headerSize else { throw RawRecordError(.badMagic, offset: 0) }
    var builder = RawRecordBuilder(machine: number(bytes, at: 12))
    guard number(bytes, at: 8) <= version else { throw RawRecordError(.newerVersion, offset: 8) }
    var offset = headerSize
    while !builder.isEnded, let section = section(bytes, at: offset) {
      do {
        try builder.take(section.kind, ByteCursor(section.payload))
      } catch {
        break
      }
      offset = section.end
    }
    guard let report = builder.finished(complete) else { throw RawRecordError(.incomplete, offset: offset) }
    return report
  }

  /// Reads the record in the file at `path`.
  ///
  /// - Throws: `FileError` where the file cannot be read, `RawRecordError` naming the path where it is no record.
  package static func read(_ path: String) throws -> CrashReport {
    let bytes = try Bytes.mapping(path)
    defer { withExtendedLifetime(bytes) {} }
    do {
      return try read(bytes.buffer)
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  private struct Section {
    let kind: UInt32
    let payload: UnsafeRawBufferPointer
    let end: Int
  }

  /// The section at `offset`; nil where it is cut off, damaged, or nothing but reserved space.
  private static func section(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Section? {
    guard bytes.count - offset >= 12 else { return nil }
    let kind = number(bytes, at: offset)
    guard kind != 0, let length = Int(exactly: number(bytes, at: offset + 4)), length <= bytes.count - offset - 12
    else { return nil }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 8 + length])
    guard Checksum.crc32(checked) == number(bytes, at: offset + 8 + length) else { return nil }
    return Section(
      kind: kind, payload: UnsafeRawBufferPointer(rebasing: checked[8...]), end: offset + 12 + length)
  }

  /// Little-endian; the caller has checked the bounds.
  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
