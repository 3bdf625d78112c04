package import MPaaSSupport

/// A file that holds an image for each of several processors.
///
/// Source: `mach-o/fat.h`; all numbers are big-endian.
package enum MachOFat {
  /// One of the images, with its place in the file.
  package struct Slice: Sendable {
    package let architecture: MachOArchitecture
    package let offset: UInt64
    package let bytes: Bytes
  }

  private static let magic32: UInt32 = 0xcafe_babe
  private static let magic64: UInt32 = 0xcafe_babf
  /// Java's class files begin alike; theirs is a version here, from 45 up.
  private static let mostSlices: UInt32 = 44

  package static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var cursor = ByteCursor(bytes, bigEndian: true)
    guard let magic = try? cursor.u32(), magic == magic32 || magic == magic64, let count = try? cursor.u32() else {
      return false
    }
    return count <= mostSlices
  }

  /// - Throws: `MachOError` where a slice does not lie in the file, or there is none.
  package static func slices(_ bytes: Bytes) throws(MachOError) -> [Slice] {
    var cursor = ByteCursor(bytes.buffer, bigEndian: true)
    var entries: [(place: UInt64, architecture: MachOArchitecture, offset: UInt64, size: UInt64)] = []
    do throws(ByteError) {
      let is64 = try cursor.u32() == magic64
      let count = try cursor.u32()
      for _ in 0..<min(count, mostSlices) {
        let place = UInt64(cursor.offset)
        let architecture = MachOArchitecture(type: try cursor.u32(), subtype: try cursor.u32())
        let offset = try cursor.unsigned(size: is64 ? 8 : 4)
        let size = try cursor.unsigned(size: is64 ? 8 : 4)
        try cursor.skip(is64 ? 8 : 4)
        entries.append((place, architecture, offset, size))
      }
    } catch {
      throw MachOError(.truncated, offset: UInt64(error.offset), value: UInt64(bytes.count))
    }
    guard !entries.isEmpty else { throw MachOError(.badSlice, offset: 4) }
    return try entries.map { (entry) throws(MachOError) in
      guard let part = bytes.slice(at: entry.offset, size: entry.size) else {
        throw MachOError(.badSlice, offset: entry.place + 8, value: entry.offset)
      }
      return Slice(architecture: entry.architecture, offset: entry.offset, bytes: part)
    }
  }
}
