/// The place where generated sources go.
package enum GenerationTarget: Sendable, Equatable {
  case standardOutput
  /// The first source's file; the others lie beside it.
  case file(String)
  case folder(String)

  /// Takes a path as it is typed: `-` is standard output, and what ends as a source does is a file.
  package init(_ output: String) {
    self =
      output == "-"
      ? .standardOutput : [".swift", ".h", ".m"].contains { output.hasSuffix($0) } ? .file(output) : .folder(output)
  }

  /// Says that only one file has room there.
  package var isOneFile: Bool {
    if case .folder = self { false } else { true }
  }

  /// The place of the support that models need: where no file of its own can be, it stands with the models.
  package func support(_ wanted: ModelGeneration.Support) -> ModelGeneration.Support {
    self == .standardOutput && wanted == .file ? .inline : wanted
  }

  /// The paths of sources.
  func paths(_ sources: [GeneratedSource]) -> [(path: String, source: GeneratedSource)] {
    let first: String?
    let folder: String
    switch self {
    case .standardOutput: (first, folder) = (nil, "")
    case .file(let path): (first, folder) = (path, Self.folder(of: path))
    case .folder(let path): (first, folder) = (nil, path)
    }
    return sources.enumerated().map { index, source in
      (index == 0 ? first ?? Self.path(source.name, in: folder) : Self.path(source.name, in: folder), source)
    }
  }

  /// The path without its last part; nothing for a name alone.
  static func folder(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  private static func path(_ name: String, in folder: String) -> String {
    (folder.isEmpty ? "" : folder + "/") + name
  }
}
