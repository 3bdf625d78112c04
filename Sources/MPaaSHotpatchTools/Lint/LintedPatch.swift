package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

/// The Lua files of one patch, as they are to be checked.
package struct LintedPatch: Sendable {
  package private(set) var files: [LuaSource]
  /// The modules that `require` finds in the folder; nil where it has too many files to look at.
  package let modules: Set<String>?

  private static let deepest = 32
  private static let mostFiles = 10_000

  /// Takes the content of a bundle; findings name its files by the bundle's path and theirs.
  package init(_ content: [PayloadFile], of bundle: String) {
    files = content.filter(\.isLua).map { LuaSource($0.contents.array, name: bundle + "/" + $0.path, path: $0.path) }
    modules = []
  }

  private init(_ files: [LuaSource], modules: Set<String>?) {
    self.files = files
    self.modules = modules
  }

  /// The patches that a user named.
  ///
  /// A folder is a patch with all files in it; files that are named by themselves are one with their neighbours' modules.
  ///
  /// - Throws: `FileError`; `TrustError` `lint-no-files` for a folder without Lua files, so that no check passes for want
  ///   of files.
  package static func all(_ paths: [String]) throws -> [LintedPatch] {
    var patches: [LintedPatch] = []
    var single: [(folder: String, files: [LuaSource])] = []
    for path in paths {
      if FileStatus(path)?.kind == .folder {
        patches.append(try LintedPatch(folder: path))
        continue
      }
      let folder = FileSystem.folder(of: path)
      let file = try source(path, FileSystem.name(of: path))
      if let index = single.firstIndex(where: { $0.folder == folder }) {
        if !single[index].files.contains(where: { $0.name == path }) { single[index].files.append(file) }
      } else {
        single.append((folder, [file]))
      }
    }
    for (folder, files) in single {
      let neighbours = (try? names(in: folder.isEmpty ? "." : folder)) ?? []
      let modules = neighbours.count < mostFiles ? Set(neighbours.map { LuaSource([], name: $0).module }) : nil
      patches.append(LintedPatch(files, modules: modules))
    }
    return patches
  }

  private init(folder: String) throws {
    let names = try Self.names(in: folder)
    guard !names.isEmpty else { throw TrustError(.lintNoFiles, ["path": folder], at: .file(folder)) }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    self.init(try names.map { try Self.source(base + $0, $0) }, modules: [])
  }

  private static func source(_ path: String, _ name: String) throws -> LuaSource {
    LuaSource(try Bytes.reading(path, limit: LuaSource.largest + 1).array, name: path, path: name)
  }

  /// The paths of Lua files in a folder, relative to it, sorted; hidden folders and links to folders are left out.
  private static func names(in root: String) throws(FileError) -> [String] {
    var names: [String] = []
    var folders: [(path: String, depth: Int)] = [("", 0)]
    while let (prefix, depth) = folders.popLast(), names.count < mostFiles {
      for (name, kind) in try FileSystem.entries(in: prefix.isEmpty ? root : root + "/" + prefix)
      where !name.hasPrefix(".") {
        let path = prefix + name
        if kind == .file, name.hasSuffix(".lua") {
          names.append(path)
        } else if kind == .folder, depth < deepest, FileStatus(ofLink: root + "/" + path)?.kind == .folder {
          folders.append((path + "/", depth + 1))
        }
      }
    }
    return names.sorted()
  }
}

extension LintFixer {
  /// Mends files where they lie; those in which something was mended are written with the permissions that they had.
  ///
  /// - Returns: As `mend`.
  /// - Throws: `FileError`.
  package func mendOnDisk(_ files: [LuaSource]) throws(FileError) -> [(file: LuaSource, fixed: Int)] {
    let mended = mend(files)
    for (file, fixed) in mended where fixed > 0 {
      try Bytes(file.bytes).write(to: file.name, mode: FileStatus(file.name)?.permissions ?? 0o644)
    }
    return mended
  }
}

extension TrustError.Code {
  static let lintNoFiles = TrustError.Code("lint-no-files", exit: .inputMissing)
}
