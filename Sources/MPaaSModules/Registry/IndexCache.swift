import MPaaSSupport

/// All indexes of a registry in one file, which is read at once.
///
/// A reader compares each index with the digest of the signed metadata; so a file that was changed is no more than one
/// that is missing. First comes a line of JSON, `[["APLog",4211],…]`, then the indexes one behind another.
struct IndexCache: Sendable {
  private static let head = "mpaas-index-cache 1\n"
  private static let limit = 512 << 20
  let path: String

  init(folder: String) {
    path = folder + "/indexes"
  }

  /// The indexes by module; none where the file is not there or nothing that was written here.
  func read() -> [String: Bytes] {
    guard let bytes = try? Bytes.reading(path, limit: Self.limit), bytes.buffer.starts(with: Self.head.utf8) else {
      return [:]
    }
    let behind = bytes.buffer.dropFirst(Self.head.utf8.count)
    guard let end = behind.firstIndex(of: UInt8(ascii: "\n")),
      let table = try? JSONValue(reading: UnsafeRawBufferPointer(rebasing: behind[..<end])).array
    else { return [:] }
    var indexes: [String: Bytes] = [:]
    var offset = UInt64(end) + 1
    for entry in table {
      guard let pair = entry.array, pair.count == 2, let name = pair[0].string, case .unsigned(let size) = pair[1],
        let slice = bytes.slice(at: offset, size: size)
      else { return [:] }
      indexes[name] = slice
      offset += size
    }
    return indexes
  }

  func write(_ indexes: [String: Bytes]) throws(ModuleError) {
    let sorted = indexes.sorted { $0.key < $1.key }
    var file = Array(Self.head.utf8)
    JSONValue.array(sorted.map { .array([.string($0.key), JSONValue($0.value.count)]) }).append(to: &file)
    file.append(UInt8(ascii: "\n"))
    for (_, bytes) in sorted { file += bytes.buffer }
    do throws(FileError) { try Bytes(file).write(to: path) } catch { throw ModuleError(error) }
  }
}
