package import MPaaSSupport

/// Tables on their way into another format.
package struct TableConversion: Sendable {
  package enum Format: String, Sendable, CaseIterable { case strings, xcstrings, csv, xliff }

  private let format: Format
  private let languages: [String]

  /// - Parameter languages: The languages that are taken; all of a table where there are none.
  package init(to format: Format, languages: [String]) {
    self.format = format
    self.languages = languages
  }

  /// The files of a table in the format.
  package func files(of table: TextTable) throws -> [ConvertedFile] {
    let languages = languages.isEmpty ? table.languages : languages
    switch format {
    case .strings: return try table.stringsFiles(languages)
    case .xcstrings: return [ConvertedFile(path: table.name + ".xcstrings", bytes: table.catalogBytes(languages))]
    case .csv: return [ConvertedFile(path: table.name + ".csv", bytes: Array(table.csv.utf8))]
    case .xliff: return [ConvertedFile(path: table.name + ".xliff", bytes: Array(table.xliff(languages).utf8))]
    }
  }

  /// Writes files into a folder, or one alone to the path that is a file's by its ending; all or, where one is there
  /// with other bytes, none.
  ///
  /// - Parameter replaces: Replaces files that are there.
  /// - Returns: The paths, in the order of the files.
  /// - Throws: `i18n-exists`, `FileError`.
  package func write(
    _ converted: [ConvertedFile], to output: String, replaces: Bool, by files: FileClient = .live
  ) throws -> [String] {
    let paths = converted.map { path(of: $0, output, isAlone: converted.count == 1) }
    for (path, file) in zip(paths, converted) where !replaces {
      guard files.kind(path) != nil, try files.read(path) != file.bytes else { continue }
      throw LanguageError(.exists, ["path": path], at: .file(path))
    }
    for (path, file) in zip(paths, converted) {
      try files.makeFolder(FileSystem.folder(of: path))
      try files.write(file.bytes, to: path)
    }
    return paths
  }

  private func path(of file: ConvertedFile, _ output: String, isAlone: Bool) -> String {
    let isFile = isAlone && output.hasSuffix("." + format.rawValue)
    return isFile ? output : (output.hasSuffix("/") ? String(output.dropLast()) : output) + "/" + file.path
  }
}
