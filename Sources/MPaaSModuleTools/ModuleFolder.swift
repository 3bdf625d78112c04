import MPaaSArchive
import MPaaSModules
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a folder that becomes an archive.
struct ModuleFolder {
  struct Entry {
    /// Inside the folder.
    let path: String
    let kind: ArchiveWriter.Kind

    var isFile: Bool {
      if case .file = kind { true } else { false }
    }
  }

  let path: String
  /// `module.toml` first, so that a reader of the archive has it at once; the others by the bytes of their paths.
  let entries: [Entry]

  /// The files that tools leave in folders and that are not meant to be given out.
  private static let ignored: Set<String> = [".DS_Store", ".git", ".svn", ".hg", "__MACOSX"]

  /// - Parameter isLeftOut: Whether a file at the top is none of the module: an archive made earlier.
  /// - Throws: `ModuleError` `module-pack-link` where a link leads out of the folder or nowhere, `module-pack-kind` for
  ///   devices and the like, and those of files.
  init(_ path: String, isLeftOut: (String) -> Bool) throws(ModuleError) {
    self.path = path
    var entries: [Entry] = []
    do {
      guard let root = FileSystem.resolved(path) else { throw FileError(.list, path, .noSuchFileOrDirectory) }
      try Self.list(root, "", depth: 0, isLeftOut, &entries)
    } catch let error as ModuleError {
      throw error
    } catch let error as FileError {
      throw ModuleError(error)
    } catch {
      throw ModuleError(.packKind, ["path": path], at: .file(path))
    }
    self.entries = entries.sorted { one, other in
      if (one.path == ModuleArchive.manifestName) != (other.path == ModuleArchive.manifestName) {
        return one.path == ModuleArchive.manifestName
      }
      return one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
    }
  }

  private static func list(
    _ root: String, _ inside: String, depth: Int, _ isLeftOut: (String) -> Bool, _ entries: inout [Entry]
  ) throws {
    let folder = inside.isEmpty ? root : root + "/" + inside
    guard depth < 64 else { throw ModuleError(.packKind, ["path": folder], at: .file(folder)) }
    var isEmpty = true
    for name in try FileSystem.names(in: folder) where !ignored.contains(name) {
      if inside.isEmpty, isLeftOut(name) { continue }
      isEmpty = false
      let path = inside.isEmpty ? name : inside + "/" + name
      let full = folder + "/" + name
      var status = stat()
      guard lstat(full, &status) == 0 else { throw FileError.last(.open, full) }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        entries.append(Entry(path: path, kind: .file(isExecutable: status.st_mode & 0o111 != 0)))
      case S_IFDIR: try list(root, path, depth: depth + 1, isLeftOut, &entries)
      case S_IFLNK: entries.append(Entry(path: path, kind: .link(target: try target(of: full, in: root))))
      default: throw ModuleError(.packKind, ["path": full], at: .file(full))
      }
    }
    if isEmpty, !inside.isEmpty { entries.append(Entry(path: inside, kind: .folder)) }
  }

  /// The target of a link, which must be in the folder too.
  private static func target(of link: String, in root: String) throws -> String {
    let target = try FileSystem.target(ofLink: link)
    guard !target.hasPrefix("/"), target.utf8.count < 4096, let end = FileSystem.resolved(link),
      end.hasPrefix(root + "/")
    else { throw ModuleError(.packLink, ["path": link, "target": target], at: .file(link)) }
    return target
  }
}

extension ModuleError.Code {
  static var packLink: Self { refused("module-pack-link") }
  static var packKind: Self { malformed("module-pack-kind") }
}
