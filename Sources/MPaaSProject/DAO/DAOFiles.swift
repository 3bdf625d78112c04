package import MPaaSSupport

/// DAO documents on their way to the files.
package struct DAOFiles: Sendable {
  private let output: String?
  private let replacesEdited: Bool
  private let files: FileClient

  /// - Parameters:
  ///   - output: A file, or a folder where there are several documents, where it ends in a slash, or where one is
  ///     there; nil or `-` for standard output.
  ///   - replacesEdited: Replaces files that were changed or not made here, too.
  package init(to output: String?, replacesEdited: Bool, files: FileClient = .live) {
    self.output = output == "-" ? nil : output
    self.replacesEdited = replacesEdited
    self.files = files
  }

  /// Writes all documents or none: what must not be replaced is found before the first is written.
  ///
  /// - Returns: The path of each; nil where it goes to standard output.
  /// - Throws: `dao-exists`, `FileError`.
  package func write(_ documents: [DAODocument]) throws -> [String?] {
    let paths = try documents.map { try path(for: $0, of: documents.count) }
    for path in paths.compactMap(\.self) where !replacesEdited && files.kind(path) == .file {
      guard DAODocument.isUntouched(try files.read(path)) else {
        throw GenerationError(.daoExists, ["path": path], at: .file(path))
      }
    }
    for (path, document) in zip(paths, documents) {
      if let path { try files.write(Array(document.xml.utf8), to: path) }
    }
    return paths
  }

  private func path(for document: DAODocument, of count: Int) throws(FileError) -> String? {
    guard let output else { return nil }
    guard count > 1 || output.hasSuffix("/") || files.kind(output) == .folder else { return output }
    try files.makeFolder(output)
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    return folder + "/" + document.table.className.replacing(".", with: "_") + "DAO.xml"
  }
}

extension GenerationError.Code {
  /// A file that was not made here, or changed since.
  package static var daoExists: Self { GenerationError.Code("dao-exists", exit: .cannotCreate) }
}
