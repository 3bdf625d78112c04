package import MPaaSSupport

/// The place of the one result of a command: a file, or standard output.
package struct ResultPlace: Sendable, Equatable {
  /// The path of the file; nil for standard output.
  package let file: String?

  /// The place that `--output` names: standard output where it is `-` or was not given.
  package init(_ option: String?) { file = option == "-" ? nil : option }

  /// Writes the file, at once or not at all; for standard output does nothing.
  ///
  /// - Parameter content: Makes the bytes; called for a file only.
  /// - Returns: The path of the file; nil for standard output, where the caller prints the result.
  /// - Throws: `FileError`; what `content` throws.
  package func write(_ content: () throws -> some Collection<UInt8>) throws -> String? {
    guard let file else { return nil }
    try Bytes(content()).write(to: file)
    return file
  }

  /// Refuses a file that is there where it shall not be replaced.
  ///
  /// - Parameters:
  ///   - replaces: True where the user said that it may be.
  ///   - refusal: The identifier of the error, which names the `file`.
  /// - Throws: `Diagnostic`.
  package func check(replaces: Bool, refusal: DiagnosticID) throws(Diagnostic) {
    guard let file, !replaces, FileStatus(file)?.kind == .file else { return }
    throw Diagnostic(refusal, ["file": file], exit: .cannotCreate)
  }
}
