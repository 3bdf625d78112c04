package import MPaaSBase

/// A way in which bytes are not of a binary format of reports.
package protocol FormatFault: Sendable, Equatable {
  /// The stable word for it, and what its texts name besides the file and the offset.
  var words: (id: DiagnosticID, values: [String: String]) { get }
}

/// The reason why bytes are not of a binary format of reports, and the place where they are not.
package struct FormatError<Fault: FormatFault>: Error, Sendable, Equatable {
  package let code: Fault
  /// Bytes from the start of the file.
  package let offset: Int
  /// The file, where the bytes came from one.
  package var path: String?

  package init(_ code: Fault, offset: Int, path: String? = nil) {
    self.code = code
    self.offset = offset
    self.path = path
  }
}

extension FormatError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let file = path ?? "-"
    let (id, values) = code.words
    return Diagnostic(
      id, values.merging(["path": file, "offset": "\(offset)"]) { $1 },
      at: .bytes(file: file, offset: UInt64(max(offset, 0))), exit: .malformedInput)
  }
}
