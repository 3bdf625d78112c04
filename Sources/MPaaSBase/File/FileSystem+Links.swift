#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// Gives a file one more name.
  ///
  /// - Returns: Whether it did; false where something has that name already.
  /// - Throws: `FileError` where the file system knows no such thing, or not for these two.
  @discardableResult
  package static func addName(_ name: String, to path: String) throws(FileError) -> Bool {
    if link(path, name) == 0 { return true }
    guard errno == EEXIST else { throw .last(.create, name) }
    return false
  }

  /// The path that a symbolic link leads to, as it stands there.
  ///
  /// - Throws: `FileError` where there is no link, or it cannot be read.
  package static func target(ofLink path: String) throws(FileError) -> String {
    var target = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &target, target.count)
    guard count > 0 else { throw .last(.open, path) }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path with all links resolved; nil where it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
