import CProcessMaps

/// A range of a process' memory, and the file behind it.
package struct ProcessMapping: Sendable, Equatable {
  package let start: UInt64
  package let end: UInt64
  package let offset: UInt64
  package let isWritable: Bool
  package let isExecutable: Bool
  package let isFile: Bool
  package let isDeleted: Bool
  /// The path without the note of a removed file; `[heap]` and the like for what is no file.
  package let path: String

  /// The lines of a file as `/proc/PID/maps`; nil where it cannot be read.
  package static func all(of path: String) -> [ProcessMapping]? {
    final class List { var mappings: [ProcessMapping] = [] }
    let list = List()
    let failure = mp_maps_each(
      path,
      { context, mapping in
        guard let context, let mapping else { return false }
        let list = Unmanaged<List>.fromOpaque(context).takeUnretainedValue()
        list.mappings.append(ProcessMapping(mapping.pointee))
        // A process has at most 65,530 by default; one that has more was made to cost time.
        return list.mappings.count < 1 << 18
      }, Unmanaged.passUnretained(list).toOpaque())
    return failure == 0 ? list.mappings : nil
  }

  /// One line of such a file; nil where it is none.
  package init?(line: String) {
    var line = line
    let read = line.withUTF8 { bytes -> ProcessMapping? in
      var mapping = mp_mapping()
      guard let start = bytes.baseAddress else { return nil }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        mp_mapping_parse(text, text + bytes.count, &mapping) ? ProcessMapping(mapping) : nil
      }
    }
    guard let read else { return nil }
    self = read
  }

  private init(_ mapping: mp_mapping) {
    var copy = mapping
    var length = 0
    isDeleted = mp_mapping_is_deleted(&copy, &length)
    let bytes = UnsafeRawBufferPointer(start: mapping.path, count: length)
    path = String(decoding: bytes, as: UTF8.self)
    start = mapping.start
    end = mapping.end
    offset = mapping.offset
    isWritable = mapping.writable
    isExecutable = mapping.executable
    isFile = mapping.inode != 0
  }
}
