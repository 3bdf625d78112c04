package import MPaaSSupport

/// Why bytes are not a raw crash record that a report can be made of.
package struct RawRecordError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// It does not begin as a record does.
    case badMagic
    /// Written by a newer version of the crash handler.
    case newerVersion
    /// It ends before the crash and the crashed thread were written, or is damaged before them.
    case incomplete
  }
  package let code: Code
  /// Bytes from the start of the file: where reading ended.
  package let offset: Int
  /// The file, where the bytes came from one.
  package var path: String?

  package init(_ code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension RawRecordError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let id: DiagnosticID =
      switch code {
      case .badMagic: "record-bad-magic"
      case .newerVersion: "record-newer-version"
      case .incomplete: "record-incomplete"
      }
    let file = path ?? "-"
    return Diagnostic(
      id, ["path": file, "offset": "\(offset)"], at: .bytes(file: file, offset: UInt64(offset)), exit: .malformedInput)
  }
}
