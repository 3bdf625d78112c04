package import MPaaSSupport

/// Generated sources on their way to the disk, where nothing is lost that people wrote.
package struct GeneratedFiles: Sendable {
  package enum State: String, Sendable, Encodable {
    case new, changed, unchanged
    /// An earlier run made it, and it is not made any more.
    case removed
    /// The same of a file that people wrote in, which stands there still.
    case stale
  }

  /// A file and what became of it.
  package struct File: Sendable, Equatable, Encodable {
    package let path: String
    package let state: State
    /// The text, where it is printed rather than written.
    package var text: String?
  }

  private let target: GenerationTarget
  private let replacesEdited: Bool
  private let isDryRun: Bool
  private let files: FileClient
  private let folders: Folders

  /// Folders in which files of earlier runs are looked for.
  package struct Folders: Sendable {
    let names: @Sendable (_ folder: String) -> [String]
    let remove: @Sendable (_ path: String) throws(FileError) -> Void

    package init(
      names: @escaping @Sendable (_ folder: String) -> [String],
      remove: @escaping @Sendable (_ path: String) throws(FileError) -> Void
    ) {
      self.names = names
      self.remove = remove
    }

    package static let live = Folders(
      names: { folder in
        let entries = try? FileSystem.entries(in: folder.isEmpty ? "." : folder)
        return (entries ?? []).filter { $0.kind == .file }.map(\.name)
      },
      remove: { path throws(FileError) in try FileSystem.remove(path) })
  }

  /// - Parameters:
  ///   - replacesEdited: Replaces files that people edited, too.
  ///   - isDryRun: Finds out what would become of the files, and writes none.
  package init(
    to target: GenerationTarget, replacesEdited: Bool, isDryRun: Bool, files: FileClient = .live,
    folders: Folders = .live
  ) {
    self.target = target
    self.replacesEdited = replacesEdited
    self.isDryRun = isDryRun
    self.files = files
    self.folders = folders
  }

  /// Writes what has changed; nothing at all where one of the files must not be replaced.
  ///
  /// The first of several sources with one path is taken. On standard output nothing is written: the texts are in what
  /// is returned. Files of a folder that earlier runs made of `origins`, and this one does not, are removed, unless people
  /// wrote in them.
  ///
  /// - Throws: `generated-file-edited`, `FileError`.
  package func write(_ sources: [GeneratedSource], of origins: [GeneratedOrigin] = []) throws -> [File] {
    if target == .standardOutput { return sources.map { File(path: $0.name, state: .new, text: $0.text()) } }
    var found: [File] = []
    var texts: [(path: String, text: String)] = []
    for (path, source) in target.paths(sources) where !found.contains(where: { $0.path == path }) {
      let (state, text) = try outcome(source, at: path)
      found.append(File(path: path, state: state))
      if let text { texts.append((path, text)) }
    }
    let stale = try stale(found, origins)
    found += stale
    guard !isDryRun else { return found }
    for (path, text) in texts {
      let folder = GenerationTarget.folder(of: path)
      if !folder.isEmpty { try files.makeFolder(folder) }
      try files.write(Array(text.utf8), to: path)
    }
    for file in stale where file.state == .removed { try folders.remove(file.path) }
    return found
  }

  private func stale(_ written: [File], _ origins: [GeneratedOrigin]) throws -> [File] {
    guard case .folder(let folder) = target, !origins.isEmpty else { return [] }
    let names = folders.names(folder)
    let kept = Set(written.compactMap { $0.path.split(separator: "/").last.map(String.init) })
    return try origins.flatMap { try $0.stale(among: names, but: kept, in: folder, reading: files.read) }.map { file in
      File(path: file.path, state: file.isUntouched || replacesEdited ? .removed : .stale)
    }
  }

  private func outcome(_ source: GeneratedSource, at path: String) throws -> (State, String?) {
    let existing = files.kind(path) == nil ? nil : String(decoding: try files.read(path), as: UTF8.self)
    switch source.outcome(over: existing) {
    case .new(let text): return (.new, text)
    case .unchanged: return (.unchanged, nil)
    case .changed(let text): return (.changed, text)
    case .edited(let text) where replacesEdited: return (.changed, text)
    case .edited: throw GenerationError(.fileEdited, ["file": path], at: .file(path))
    }
  }
}

extension GenerationError.Code {
  /// A file that was edited, or is none of ours.
  package static var fileEdited: Self { GenerationError.Code("generated-file-edited", exit: .cannotCreate) }
}
