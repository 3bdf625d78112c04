import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The modules of this machine, unpacked once for all projects.
///
/// Below its folder: `archives/SHA256` as they were downloaded, `files/ab/SHA256` read-only by their content (`.x`
/// where they are executable), `modules/SHA256.json` for each unpacked archive, `trees/SHA256` for projects that share,
/// `projects.json`, `tmp/`, `locks/` and `lock`. A module is there when its JSON document is, which is written last.
package struct ModuleStore: Sendable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  package func archive(sha256: String) -> String { "\(folder)/archives/\(sha256)" }

  var files: String { folder + "/files" }
  var trees: String { folder + "/trees" }
  var temporary: String { folder + "/tmp" }
  var documents: String { folder + "/modules" }

  func document(_ sha256: String) -> String { "\(documents)/\(sha256).json" }

  /// Tells whether a text is a digest of 64 lower-case hexadecimal digits.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 6 }
  }

  /// Keeps `collect` of other processes from removing anything, as long as the value is held.
  ///
  /// A caller that adds modules and places them later holds one in between.
  package func use() throws(ModuleError) -> StoreLock {
    try withFileErrors { () throws(FileError) in try Directories.create(folder) }
    return try StoreLock(folder + "/lock", .shared)
  }

  /// Says that this process may not write to the store: a restored cache of a build server, another user's store.
  var isReadOnly: Bool {
    FileStatus(folder)?.kind == .folder && access(folder, W_OK) != 0 && [EROFS, EACCES, EPERM].contains(errno)
  }

  // MARK: - What is there

  package func contains(sha256: String) -> Bool { module(sha256: sha256) != nil }

  /// A module by the digest of its archive; nil where it is not there.
  package func module(sha256: String) -> StoredModule? {
    guard Self.isDigest(sha256), let bytes = try? Bytes.reading(document(sha256), limit: StoredModuleDocument.headSize)
    else { return nil }
    return StoredModuleDocument.module(in: bytes.buffer).flatMap { $0.sha256 == sha256 ? $0 : nil }
  }

  /// All modules, by name and then newest first; those whose document is damaged are left out, and `verify` tells them.
  package func modules() throws(ModuleError) -> [StoredModule] {
    try digests().compactMap(module(sha256:)).sorted { one, other in
      one.name == other.name ? one.version > other.version : one.name < other.name
    }
  }

  /// The digests that have a document, damaged or not.
  func digests() throws(ModuleError) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: documents).compactMap { name in
        name.hasSuffix(".json") && Self.isDigest(String(name.dropLast(5))) ? String(name.dropLast(5)) : nil
      }
    } catch {
      if error.code == .noSuchFileOrDirectory { return [] }
      throw ModuleError(error)
    }
  }

  /// The tree of a module.
  ///
  /// - Throws: `ModuleError`: removed meanwhile, or its document is damaged.
  package func contents(of module: StoredModule) throws(ModuleError) -> StoredContents {
    let path = document(module.sha256)
    let bytes = try withFileErrors { () throws(FileError) in try Bytes.mapping(path) }
    guard let document = StoredModuleDocument(bytes.buffer), document.module == module else {
      throw damaged(module.name, path)
    }
    return document.contents
  }

  /// The place of a module's file.
  package func path(of file: StoredContents.File) -> String { files + "/" + file.place }

  /// The text of a module's `module.toml`; the list of its files is not read.
  ///
  /// - Throws: `ModuleError` as `contents(of:)`.
  package func manifest(of module: StoredModule) throws(ModuleError) -> String {
    let path = document(module.sha256)
    let bytes = try withFileErrors { () throws(FileError) in try Bytes.reading(path, limit: 1 << 30) }
    defer { withExtendedLifetime(bytes) {} }
    if let text = StoredModuleDocument.manifest(in: bytes.buffer) { return text }
    return try contents(of: module).manifest
  }

  func damaged(_ name: String, _ path: String) -> ModuleError {
    ModuleError(.storeDamaged, ["name": name, "path": path], at: .file(path))
  }
}
