package import MPaaSArchive
package import MPaaSModules
package import MPaaSSupport

/// The file that a version of a module is given out as: a zip, or a tar compressed by zstd, with `module.toml` in it.
package enum ModuleArchive {
  /// The file that tells an archive of a module from another one; it stands at the top.
  package static let manifestName = "module.toml"
  /// Bytes of the largest `module.toml` that is read.
  static let largestManifest = 1 << 20

  package typealias Format = ArchiveWriter.Format

  /// The name of a version's archive: `APLog-3.0.2.tar.zst`.
  package static func name(_ manifest: ModuleManifest, _ format: Format) -> String {
    "\(manifest.name)-\(manifest.version.text).\(format.rawValue)"
  }

  /// Makes the archive of a folder with a `module.toml`.
  ///
  /// The same files give the same bytes with the same libarchive: names are sorted, times, owners and groups are 0, and
  /// of the permissions only whether a file is executable is kept. Links are kept.
  ///
  /// - Parameters:
  ///   - target: Where the archive is put.
  ///   - accept: Looks at the finished bytes; the archive appears at `target` only where it says true.
  /// - Returns: What `module.toml` says.
  /// - Throws: `ModuleError` of `module.toml`, `module-pack-link`, `module-pack-kind`, `module-pack-failed`, and those
  /// of
  ///   files.
  @discardableResult
  package static func pack(
    folder: String, to target: String, format: Format = .tarZstandard,
    accept: (Bytes) throws(ModuleError) -> Bool = { (_) throws(ModuleError) in true }
  ) throws(ModuleError) -> ModuleManifest {
    let manifest = try manifest(in: folder)
    let endings = Format.allCases.map { "." + $0.rawValue }
    let contents = try ModuleFolder(folder) { name in
      name.hasPrefix(manifest.name + "-") && endings.contains { name.hasSuffix($0) }
    }
    let file = try ModuleError.wrapping { () throws(FileError) in try PartialFile(beside: target) }
    try write(contents, format, to: file)
    guard try accept(try mapped(file.path)) else { return manifest }
    try ModuleError.wrapping { () throws(FileError) in try file.finish() }
    return manifest
  }

  /// The content of the `module.toml` of a folder.
  package static func manifest(in folder: String) throws(ModuleError) -> ModuleManifest {
    let path = folder + "/" + manifestName
    let bytes = try ModuleError.wrapping { () throws(FileError) in
      try Bytes.reading(path, limit: largestManifest)
    }
    return try ModuleManifest(reading: String(decoding: bytes.array, as: UTF8.self), file: path)
  }

  private static func mapped(_ path: String) throws(ModuleError) -> Bytes {
    try ModuleError.wrapping { () throws(FileError) in try Bytes.mapping(path) }
  }

  private static func write(_ folder: ModuleFolder, _ format: Format, to file: PartialFile) throws(ModuleError) {
    func writing<Value>(_ body: () throws(ArchiveWriter.Failure) -> Value) throws(ModuleError) -> Value {
      do { return try body() } catch {
        throw ModuleError(.packFailed, ["path": file.target, "reason": error.reason], at: .file(file.target))
      }
    }
    let writer = try writing { () throws(ArchiveWriter.Failure) in try ArchiveWriter(format, into: file) }
    for entry in folder.entries {
      let content = entry.isFile ? [try mapped(folder.path + "/" + entry.path)] : []
      try writing { () throws(ArchiveWriter.Failure) in try writer.add(entry.path, entry.kind, content) }
    }
    try writing { () throws(ArchiveWriter.Failure) in try writer.finish() }
  }
}

extension ModuleError {
  /// Runs `body`, whose errors are told as they are.
  static func wrapping<Value, Failure: DiagnosticConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(ModuleError) -> Value {
    do { return try body() } catch { throw ModuleError(error) }
  }
}

extension ModuleError.Code {
  package static var packFailed: Self { Self("module-pack-failed", exit: .cannotCreate) }
}
