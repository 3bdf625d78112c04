import CProcessMaps

/// The ranges of a process' memory, as `/proc/PID/maps` has them.
enum ProcessMaps {
  struct Map {
    let start: UInt64
    let end: UInt64
    let offset: UInt64
    let inode: UInt64
    let isReadable: Bool
    let isWritable: Bool
    let isExecutable: Bool
    /// Empty for memory without a file.
    let path: String
  }

  private final class Visit {
    let body: (Map) -> Void

    init(_ body: @escaping (Map) -> Void) {
      self.body = body
    }
  }

  /// Hands each range to `body`, in order of addresses; false where they cannot be read.
  @discardableResult
  static func each(of process: Int32, _ body: (Map) -> Void) -> Bool {
    withoutActuallyEscaping(body) { body in
      let visit = Visit(body)
      let error = mp_maps_each(
        "/proc/\(process)/maps",
        { context, mapping in
          guard let context, let mapping = mapping?.pointee else { return false }
          let bytes = UnsafeRawBufferPointer(start: mapping.path, count: mapping.path_length)
          let map = Map(
            start: mapping.start, end: mapping.end, offset: mapping.offset, inode: mapping.inode,
            isReadable: mapping.readable, isWritable: mapping.writable, isExecutable: mapping.executable,
            path: String(decoding: bytes, as: UTF8.self))
          Unmanaged<Visit>.fromOpaque(context).takeUnretainedValue().body(map)
          return true
        }, Unmanaged.passUnretained(visit).toOpaque())
      return error == 0
    }
  }
}
