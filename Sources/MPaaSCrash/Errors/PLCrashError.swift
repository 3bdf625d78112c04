package import MPaaSSupport

/// Why bytes are not a `.plcrash` report.
package struct PLCrashError: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    /// It does not begin with `plcrash`.
    case badMagic
    /// The version byte is one that nobody has defined: its value.
    case unknownVersion(UInt8)
    /// It ends in the middle of a field.
    case truncated
    /// A tag or a number that cannot be.
    case malformed
    /// Larger than any report: 16 MiB, or 65,536 threads, images, or frames of a thread.
    case tooLarge
    /// A field that no report can be without: its name in `PLCrashReport.proto`.
    case missing(String)
  }
  package let code: Code
  /// Bytes from the start of the file.
  package let offset: Int

  package init(_ code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The same for a user, who wants to know which file it is.
  package func diagnostic(file: String) -> Diagnostic {
    var values = ["path": file, "offset": "\(offset)"]
    let id: DiagnosticID
    switch code {
    case .badMagic: id = "plcrash-not-plcrash"
    case .unknownVersion(let version):
      id = "plcrash-unknown-version"
      values["version"] = "\(version)"
    case .truncated: id = "plcrash-truncated"
    case .malformed: id = "plcrash-malformed"
    case .tooLarge: id = "plcrash-too-large"
    case .missing(let field):
      id = "plcrash-field-missing"
      values["field"] = field
    }
    return Diagnostic(id, values, at: .bytes(file: file, offset: UInt64(max(offset, 0))), exit: .malformedInput)
  }
}
