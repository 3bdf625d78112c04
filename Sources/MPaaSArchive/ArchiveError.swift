package import MPaaSSupport

/// The reason why an archive could not be read to its end.
package struct ArchiveError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// libarchive is not installed.
    case noLibrary
    /// Damaged, encrypted, or of a kind that is not read.
    case damaged
    /// More comes out than the limits allow.
    case tooLarge
    /// It has no file of that name.
    case noMember
  }
  package let code: Code
  /// The words of libarchive, the library's name, or the limit in bytes.
  package let reason: String

  package init(_ code: Code, _ reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// The same for a user, with the file.
  package func diagnostic(file: String) -> Diagnostic {
    let id: DiagnosticID =
      switch code {
      case .noLibrary: "archive-no-library"
      case .damaged: "archive-damaged"
      case .tooLarge: "archive-too-large"
      case .noMember: "archive-no-member"
      }
    let exit: ExitStatus =
      switch code {
      case .noLibrary: .unreachable
      case .noMember: .inputMissing
      case .damaged, .tooLarge: .malformedInput
      }
    return Diagnostic(id, ["file": file, "reason": reason], at: .file(file), exit: exit)
  }
}
