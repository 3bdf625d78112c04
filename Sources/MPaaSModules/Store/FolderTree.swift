import CFileTree
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Trees of files, gone through by descriptors: many files, little memory, no names looked up twice.
enum FolderTree {
  /// Deeper than any module may be; what is deeper is not gone into.
  private static let deepest = 64

  /// Hands over what is in a folder and those in it; a folder comes before what it holds.
  ///
  /// - Parameter visit: Gets the path relative to the folder, and what stands there (links are not followed); says
  ///   whether to go on.
  /// - Returns: Whether all was seen.
  static func visit(
    _ folder: String, _ visit: (UnsafeBufferPointer<UInt8>, stat) -> Bool
  ) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return false }
    var path: [UInt8] = []
    return walk(descriptor, &path, depth: 0, visit)
  }

  /// Takes the descriptor over.
  private static func walk(
    _ descriptor: Int32, _ path: inout [UInt8], depth: Int,
    _ visit: (UnsafeBufferPointer<UInt8>, stat) -> Bool
  ) -> Bool {
    guard depth < deepest, let stream = fdopendir(descriptor) else {
      close(descriptor)
      return false
    }
    defer { closedir(stream) }
    let length = path.count
    while let entry = readdir(stream) {
      let name = Self.name(entry)
      if name[0] == 0x2e, name[1] == 0 || (name[1] == 0x2e && name[2] == 0) { continue }
      path.removeSubrange(length...)
      if length > 0 { path.append(UInt8(ascii: "/")) }
      path += UnsafeRawBufferPointer(start: name, count: strlen(name))
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
      guard path.withUnsafeBufferPointer({ visit($0, status) }) else { return false }
      guard status.st_mode & S_IFMT == S_IFDIR else { continue }
      let inner = openat(dirfd(stream), name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
      guard inner >= 0, walk(inner, &path, depth: depth + 1, visit) else { return false }
    }
    path.removeSubrange(length...)
    return true
  }

  /// The name where it stands, which is shorter than the field that C declares for it.
  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    return (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
  }

  /// Removes a folder and all in it, as far as the system lets; links are removed, not followed.
  static func remove(_ path: String) {
    if rmdir(path) == 0 || errno == ENOENT { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    empty(descriptor, depth: 0)
    rmdir(path)
  }

  /// Takes the descriptor over.
  private static func empty(_ descriptor: Int32, depth: Int) {
    guard depth < 512, let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    // Nothing can be taken out of a folder that is not writable.
    fchmod(dirfd(stream), 0o755)
    while let entry = readdir(stream) {
      let name = Self.name(entry)
      if name[0] == 0x2e, name[1] == 0 || (name[1] == 0x2e && name[2] == 0) { continue }
      if unlinkat(dirfd(stream), name, 0) == 0 { continue }
      if unlinkat(dirfd(stream), name, AT_REMOVEDIR) == 0 { continue }
      let inner = openat(dirfd(stream), name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
      guard inner >= 0 else { continue }
      empty(inner, depth: depth + 1)
      unlinkat(dirfd(stream), name, AT_REMOVEDIR)
    }
  }

  /// Puts `new` in the place of `old`, which afterwards stands where `new` stood, or is gone.
  ///
  /// On a system that can exchange names, whoever looks sees the one or the other; else there is a moment without.
  static func exchange(_ new: String, _ old: String) throws(FileError) {
    if FileStatus(ofLink: old) == nil {
      guard rename(new, old) == 0 else { throw .last(.rename, old) }
      return
    }
    if mp_files_exchange(new, old) == 0 { return }
    let aside = new + ".old"
    guard rename(old, aside) == 0 else { throw .last(.rename, old) }
    guard rename(new, old) == 0 else {
      let error = FileError.last(.rename, old)
      rename(aside, old)
      throw error
    }
    guard rename(aside, new) == 0 else { throw .last(.rename, aside) }
  }
}

extension FolderTree {
  /// Copies what is left of one open file to another; inside the system where that is possible.
  static func copy(_ input: Int32, _ output: Int32, size: UInt64, _ path: String) throws(FileError) {
    var left = Int(clamping: size)
    while left > 0 {
      let count = mp_files_copy(input, output, left)
      guard count > 0 else { break }
      left -= count
    }
    if left == 0 { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(input, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count > 0 {
        try FileSystem.writeAll(output, UnsafeRawBufferPointer(rebasing: buffer[..<count]), path)
      } else if errno != EINTR {
        throw .last(.read, path)
      }
    }
  }
}

extension FolderTree {
  /// Removes whatever stands at a path.
  static func removeAny(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    remove(path)
  }
}
