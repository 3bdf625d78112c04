import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// Puts generated sources where they belong, without losing what people wrote.
enum GeneratedFiles {
  enum State: String, Encodable { case new, changed, unchanged }

  struct File: Encodable {
    let path: String
    let state: State
    /// What it says, where it is printed rather than written.
    var text: String?
  }

  /// What was passed over.
  struct Note: Encodable {
    let id: String
    let place: String
    let values: [String: String]

    init(_ error: GenerationError) {
      id = error.code.id.name
      place = error.place.map(\.description) ?? ""
      values = error.values
    }
  }

  /// What a file says, or standard input for `-`.
  static func input(_ path: String) throws -> (file: String, bytes: [UInt8]) {
    try path == "-" ? ("stdin", Bytes.reading("/dev/stdin", limit: 1 << 28).array) : (path, Bytes.mapping(path).array)
  }

  /// Writes what has changed; nothing at all where one of the files must not be replaced.
  ///
  /// - Parameter output: A folder; or the path of the first source, where it ends in a source's extension; `-`
  ///   writes nothing, and the texts are in what is returned.
  /// - Throws: `generated-file-edited`, `FileError`.
  static func write(
    _ sources: [GeneratedSource], to output: String, force: Bool, isDryRun: Bool
  ) throws -> [File] {
    if isPrinted(output) { return sources.map { File(path: $0.name, state: .new, text: $0.text()) } }
    var files: [File] = []
    var texts: [(path: String, text: String)] = []
    for (path, source) in paths(sources, output) where !files.contains(where: { $0.path == path }) {
      let (state, text) = try outcome(source, at: path, force: force)
      files.append(File(path: path, state: state))
      if let text { texts.append((path, text)) }
    }
    guard !isDryRun else { return files }
    for (path, text) in texts {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      if !folder.isEmpty { try Directories.create(folder) }
      try Bytes(Array(text.utf8)).write(to: path)
    }
    return files
  }

  /// Whether sources go to standard output.
  static func isPrinted(_ output: String) -> Bool { output == "-" }

  static func isFile(_ output: String) -> Bool {
    [".swift", ".h", ".m"].contains { output.hasSuffix($0) }
  }

  private static func paths(
    _ sources: [GeneratedSource], _ output: String
  ) -> [(path: String, source: GeneratedSource)] {
    let isFile = isFile(output)
    let folder =
      isFile
      ? output.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") : output
    return sources.enumerated().map { index, source in
      let path = isFile && index == 0 ? output : (folder.isEmpty ? "" : folder + "/") + source.name
      return (path, source)
    }
  }

  private static func outcome(
    _ source: GeneratedSource, at path: String, force: Bool
  ) throws -> (State, String?) {
    let existing = FileStatus(path) == nil ? nil : String(decoding: try Bytes.mapping(path).array, as: UTF8.self)
    switch source.outcome(over: existing) {
    case .new(let text): return (.new, text)
    case .unchanged: return (.unchanged, nil)
    case .changed(let text): return (.changed, text)
    case .edited(let text) where force: return (.changed, text)
    case .edited:
      throw GenerationError(.init("generated-file-edited", exit: .cannotCreate), ["file": path], at: .file(path))
    }
  }
}

extension Document {
  /// A line for each file that was written, or what the files say; then nothing else should stand in the document.
  mutating func files(_ files: [GeneratedFiles.File], _ catalogue: Catalogue) -> Bool {
    for file in files {
      guard let text = file.text else {
        var line = StyledText(catalogue.text("text.generate-model-\(file.state.rawValue)") + " ")
        line.append(file.path, .path)
        self.line(line)
        continue
      }
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        self.line(StyledText(verbatim: String(line)))
      }
    }
    return files.contains { $0.text != nil }
  }

  /// A line for each thing that was passed over.
  mutating func notes(_ notes: [GenerationError], _ catalogue: Catalogue) {
    for note in notes {
      let place = note.place.map { $0.description + ": " } ?? ""
      let texts =
        [catalogue.text("diagnostic." + note.code.id.name, note.values)]
        + note.details.map { catalogue.text($0.key, $0.values) }
      line(StyledText(place + texts.joined(separator: " "), .warning))
    }
  }
}
