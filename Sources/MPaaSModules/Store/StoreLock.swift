import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a file or folder, held as long as the value lives; the system releases it when the process ends, however
/// that happens.
package final class StoreLock: Sendable {
  enum Kind { case shared, exclusive }

  private let file: LockFile

  /// Waits until it has the lock.
  ///
  /// - Parameter limit: How long to wait at most, in milliseconds; nil for ever.
  init(_ path: String, _ kind: Kind, limit: Int? = nil) throws(ModuleError) {
    file = try Self.file(path, kind)
    var waited = 0
    var attempt = limit == nil ? file.wait(shared: kind == .shared) : file.take(shared: kind == .shared)
    while attempt == .busy, waited < limit ?? 0 {
      usleep(20_000)
      waited += 20
      attempt = file.take(shared: kind == .shared)
    }
    switch attempt {
    case .taken: return
    case .busy: throw ModuleError(.storeBusy, ["path": path], at: .file(path))
    case .impossible(let error): throw ModuleError(error)
    }
  }

  /// Opens the file to lock, which is made where it is not there.
  ///
  /// Readers that may not write it lock it as it is, or the folder where there is none: no other user can remove
  /// anything either.
  private static func file(_ path: String, _ kind: Kind) throws(ModuleError) -> LockFile {
    do throws(FileError) {
      return try LockFile(path, .making(0o644))
    } catch {
      guard kind == .shared, [.readOnlyFileSystem, .permissionDenied, .notPermitted].contains(error.code) else {
        throw ModuleError(error)
      }
      for path in [path, FileSystem.folder(of: path)] {
        if let file = try? LockFile(path, .reading) { return file }
      }
      throw ModuleError(error)
    }
  }

  private init(_ file: LockFile) {
    self.file = file
  }

  /// Locks a folder that is there; nil where it is gone, or another process has it.
  ///
  /// - Parameter waits: Whether to wait for the other process.
  static func owning(folder: String, waits: Bool = false) -> StoreLock? {
    guard let file = try? LockFile(folder, .folder, followsLinks: false),
      (waits ? file.wait() : file.take()) == .taken, file.hasName
    else { return nil }
    return StoreLock(file)
  }
}

/// A folder of this process, beside the place of what is made in it; it goes with its owner.
///
/// Its lock says that the owner lives: an unlocked one is a leftover of a process that was ended.
final class Workspace {
  let path: String
  private let lock: StoreLock

  private init(path: String, lock: StoreLock) {
    self.path = path
    self.lock = lock
  }

  /// Makes a folder whose name begins with `prefix` and the number of this process.
  static func make(in folder: String, prefix: String) throws(ModuleError) -> Workspace {
    for _ in 0..<1000 {
      let path = "\(folder)/\(prefix)\(getpid())-\(String(UInt32.random(in: 0...(.max)), radix: 36))"
      guard mkdir(path, 0o755) == 0 else {
        if errno == EEXIST { continue }
        throw ModuleError(FileError.last(.create, path))
      }
      // A process that clears leftovers may have been faster than the lock.
      if let lock = StoreLock.owning(folder: path) { return Workspace(path: path, lock: lock) }
    }
    throw ModuleError(FileError(.create, folder, .resourceTemporarilyUnavailable))
  }

  /// Makes the folder of that path, or takes it over once no other process has it; what is in it is removed.
  ///
  /// A folder that another user made, or may write into, is removed and made anew: its owner could change what is built
  /// there until it has its place.
  ///
  /// - Throws: `ModuleError`: `module-place-taken` where such a folder cannot be removed.
  static func claim(_ path: String, _ system: OwnFolder.System = .live) throws(ModuleError) -> Workspace {
    for _ in 0..<1000 {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw ModuleError(FileError.last(.create, path)) }
      guard let lock = StoreLock.owning(folder: path, waits: true) else { continue }
      if let entry = system.entry(path), entry.owner != system.user || entry.mode & 0o022 != 0 {
        FolderTree.remove(path)
        if FileStatus(ofLink: path) == nil { continue }
        throw ModuleError(.placeTaken, ["path": path], at: .file(path))
      }
      for name in (try? FileSystem.names(in: path)) ?? [] { FolderTree.removeAny(path + "/" + name) }
      return Workspace(path: path, lock: lock)
    }
    throw ModuleError(FileError(.create, path, .resourceTemporarilyUnavailable))
  }

  /// Removes what processes left in `folder` that live no more.
  static func clearLeftovers(in folder: String, prefix: String) {
    for name in leftovers(in: folder, prefix: prefix) { remove(folder + "/" + name) }
  }

  /// The folders whose name begins with `prefix` that are not locked.
  static func leftovers(in folder: String, prefix: String) -> [String] {
    let names = (try? FileSystem.names(in: folder)) ?? []
    return names.filter { name in
      guard name.hasPrefix(prefix) else { return false }
      return FileStatus(ofLink: folder + "/" + name)?.kind != .folder
        || StoreLock.owning(folder: folder + "/" + name) != nil
    }
  }

  static func remove(_ path: String) {
    guard FileStatus(ofLink: path)?.kind == .folder else {
      unlink(path)
      return
    }
    guard let lock = StoreLock.owning(folder: path) else { return }
    FolderTree.remove(path)
    withExtendedLifetime(lock) {}
  }

  deinit {
    FolderTree.remove(path)
    withExtendedLifetime(lock) {}
  }
}
