import MPaaSSupport

/// The files of an installed kit one after the other, in the order of their paths' bytes: what differences refer to.
enum KitContent {
  /// Reads the content of a folder.
  ///
  /// - Parameter size: The bytes that there should be; nil is the answer where there are more or fewer.
  static func reference(of folder: String, size: Int) throws(FileError) -> Bytes? {
    var paths: [String] = []
    try collect(folder, "", &paths)
    paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let all = try Bytes(capacity: size) { (room: UnsafeMutableRawBufferPointer) throws(FileError) in
      var used = 0
      for path in paths {
        let file = try Bytes.mapping(folder + "/" + path)
        guard file.count <= size - used else { return 0 }
        withExtendedLifetime(file) {
          UnsafeMutableRawBufferPointer(rebasing: room[used...]).copyMemory(from: file.buffer)
        }
        used += file.count
      }
      return used
    }
    return all.count == size ? all : nil
  }

  private static func collect(_ folder: String, _ prefix: String, _ paths: inout [String]) throws(FileError) {
    for (name, kind) in try FileSystem.entries(in: folder + "/" + prefix) {
      if kind == .folder { try collect(folder, prefix + name + "/", &paths) } else { paths.append(prefix + name) }
    }
  }
}
