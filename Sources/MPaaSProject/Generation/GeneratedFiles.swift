package import MPaaSSupport

/// Generated sources on their way to the disk, where nothing is lost that people wrote.
package struct GeneratedFiles: Sendable {
  package enum State: String, Sendable, Encodable { case new, changed, unchanged }

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

  /// - Parameters:
  ///   - replacesEdited: Replaces files that people edited, too.
  ///   - isDryRun: Finds out what would become of the files, and writes none.
  package init(
    to target: GenerationTarget, replacesEdited: Bool, isDryRun: Bool, files: FileClient = .live
  ) {
    self.target = target
    self.replacesEdited = replacesEdited
    self.isDryRun = isDryRun
    self.files = files
  }

  /// Writes what has changed; nothing at all where one of the files must not be replaced.
  ///
  /// Of sources with one path the first is taken. On standard output nothing is written: the texts are in what is
  /// returned.
  ///
  /// - Throws: `generated-file-edited`, `FileError`.
  package func write(_ sources: [GeneratedSource]) throws -> [File] {
    if target == .standardOutput { return sources.map { File(path: $0.name, state: .new, text: $0.text()) } }
    var found: [File] = []
    var texts: [(path: String, text: String)] = []
    for (path, source) in target.paths(sources) where !found.contains(where: { $0.path == path }) {
      let (state, text) = try outcome(source, at: path)
      found.append(File(path: path, state: state))
      if let text { texts.append((path, text)) }
    }
    guard !isDryRun else { return found }
    for (path, text) in texts {
      let folder = GenerationTarget.folder(of: path)
      if !folder.isEmpty { try files.makeFolder(folder) }
      try files.write(Array(text.utf8), to: path)
    }
    return found
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
