package import MPaaSSupport

/// A template as it stands in a folder, its own files only.
package struct TemplateFolder: Sendable {
  package struct File: Sendable {
    package let bytes: Bytes
    package let isExecutable: Bool
    /// Its place, for errors.
    package let place: String
  }

  package let manifest: TemplateManifest
  /// By their paths below `files/`, as they stand there.
  package let files: [String: File]
  package let path: String

  /// Reads a template.
  ///
  /// - Throws: `TemplateError` of the manifest; `template-link`, `template-too-large`; also as a file is not read.
  package init(_ path: String) throws(TemplateError) {
    self.path = path
    manifest = try Self.manifest(path)
    var files: [String: File] = [:]
    let folder = path + "/files"
    if FileStatus(folder)?.kind == .folder {
      var size = 0
      try Self.read(folder, "", &files, &size, depth: 0)
    }
    self.files = files
  }

  /// Reads the manifest alone.
  package static func manifest(_ path: String) throws(TemplateError) -> TemplateManifest {
    let file = path + "/" + TemplateManifest.fileName
    guard FileStatus(file)?.kind == .file else {
      throw TemplateError(.manifestMissing, ["path": path], at: .file(path))
    }
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.reading(file, limit: TemplateManifest.limit)
    } catch {
      throw TemplateError(error)
    }
    return try TemplateManifest(String(decoding: bytes.array, as: UTF8.self), file: file)
  }

  private static func read(
    _ folder: String, _ prefix: String, _ files: inout [String: File], _ size: inout Int, depth: Int
  ) throws(TemplateError) {
    let names: [String]
    do throws(FileError) { names = try FileSystem.names(in: folder) } catch { throw TemplateError(error) }
    for name in names where name != ".DS_Store" {
      let place = folder + "/" + name
      guard let status = FileStatus(ofLink: place) else { continue }
      guard files.count < RenderedTree.limits.files, depth < 24 else {
        throw TemplateError(.tooLarge, ["path": prefix + name], at: .file(place))
      }
      switch status.kind {
      case .other: throw TemplateError(.link, ["path": prefix + name], at: .file(place))
      case .folder: try read(place, prefix + name + "/", &files, &size, depth: depth + 1)
      case .file:
        let bytes: Bytes
        do throws(FileError) { bytes = try Bytes.mapping(place) } catch { throw TemplateError(error) }
        size += bytes.count
        guard size <= RenderedTree.limits.bytes else {
          throw TemplateError(.tooLarge, ["path": prefix + name], at: .file(place))
        }
        files[prefix + name] = File(bytes: bytes, isExecutable: status.permissions & 0o100 != 0, place: place)
      }
    }
  }
}
