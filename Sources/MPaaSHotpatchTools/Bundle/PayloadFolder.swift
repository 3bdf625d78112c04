package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a payload on the disk.
package enum PayloadFolder {
  private static let deepest = 16

  /// Reads the files that a user named: files by their names, those of folders by their paths below them.
  ///
  /// Hidden files and folders are left out, and so are tests that were not named.
  ///
  /// - Parameter limit: How many files there may be.
  /// - Throws: `FileError`; `TrustError` `bundle-file-twice`, `bundle-too-many-files`, `bundle-no-sources`.
  package static func read(_ paths: [String], limit: Int = BundleLimits().files) throws -> [PayloadFile] {
    var found: [String: String] = [:]
    func add(_ name: String, _ path: String) throws(TrustError) {
      guard found.updateValue(path, forKey: name) == nil else { throw TrustError(.bundleFileTwice, ["path": name]) }
      guard found.count <= limit else { throw TrustError(.bundleTooManyFiles, ["limit": String(limit)]) }
    }
    for path in paths {
      guard FileStatus(path)?.kind == .folder else {
        try add(FileSystem.name(of: path), path)
        continue
      }
      var folders = [(prefix: "", depth: 0)]
      while let (prefix, depth) = folders.popLast() {
        for (name, kind) in try FileSystem.entries(in: path + "/" + prefix) where !name.hasPrefix(".") {
          let whole = "\(path)/\(prefix)\(name)"
          if kind == .file, !LuaSource.isTest(name) {
            try add(prefix + name, whole)
          } else if kind == .folder, depth < deepest, FileStatus(ofLink: whole)?.kind == .folder {
            folders.append((prefix + name + "/", depth + 1))
          }
        }
      }
    }
    guard !found.isEmpty else { throw TrustError(.bundleNoSources, ["path": paths.joined(separator: ", ")]) }
    return try found.sorted { $0.key < $1.key }.map { PayloadFile(path: $0.key, contents: try .mapping($0.value)) }
  }

  /// The file that runs first: `main.lua`, or the only Lua file.
  ///
  /// - Throws: `TrustError` `bundle-no-entry`.
  package static func entry(of paths: [String]) throws(TrustError) -> String {
    let scripts = paths.filter { $0.hasSuffix(".lua") }
    if scripts.contains("main.lua") { return "main.lua" }
    guard scripts.count == 1 else { throw TrustError(.bundleNoEntry, ["count": String(scripts.count)]) }
    return scripts[0]
  }

  /// Writes the files into a folder that is not there yet, or empty: all of them or, where that fails, none.
  ///
  /// - Throws: `FileError`; `TrustError` `unpack-folder-not-empty`.
  package static func write(_ files: [PayloadFile], to folder: String) throws {
    if let status = FileStatus(folder) {
      guard status.kind == .folder, try FileSystem.names(in: folder).isEmpty else {
        throw TrustError(.unpackFolderNotEmpty, ["path": folder])
      }
    }
    let parent = FileSystem.folder(of: folder)
    try Directories.create(parent)
    let temporary = try FileSystem.makeFolder(unique: parent + "/.mpaas-unpack", called: parent)
    do {
      for file in files {
        let path = temporary + "/" + file.path
        try Directories.create(FileSystem.folder(of: path))
        try file.contents.write(to: path)
      }
      chmod(temporary, 0o755)
      try FileSystem.rename(temporary, to: folder)
    } catch {
      remove(files, from: temporary)
      throw error
    }
  }

  /// Takes away what `write` has made so far.
  private static func remove(_ files: [PayloadFile], from folder: String) {
    for file in files {
      var path = folder + "/" + file.path
      unlink(path)
      while path.utf8.count > folder.utf8.count {
        path = FileSystem.folder(of: path)
        guard FileSystem.removeIfEmpty(path) else { break }
      }
    }
    FileSystem.removeIfEmpty(folder)
  }
}

extension TrustError.Code {
  package static let bundleNoSources = TrustError.Code("bundle-no-sources", exit: .inputMissing)
  package static let bundleFileTwice = TrustError.Code("bundle-file-twice", exit: .usage)
  package static let bundleTooManyFiles = TrustError.Code("bundle-too-many-files", exit: .malformedInput)
  package static let bundleNoEntry = TrustError.Code("bundle-no-entry", exit: .malformedInput)
  package static let unpackFolderNotEmpty = TrustError.Code("unpack-folder-not-empty", exit: .cannotCreate)
}
