package import MPaaSSupport

/// Why bytes are not a minidump or microdump that a report can be made of.
package struct MinidumpError: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    case badMagic
    /// The version in the header is not a minidump's: its value.
    case unknownVersion(UInt32)
    /// The header or the directory passes the end of the file.
    case truncated
    /// More streams than any writer makes: how many.
    case absurdCount(UInt32)
    /// Neither threads nor modules can be read.
    case noContents
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
    case .badMagic: id = "minidump-not-minidump"
    case .unknownVersion(let version):
      id = "minidump-unknown-version"
      values["version"] = "0x" + String(version, radix: 16)
    case .truncated: id = "minidump-truncated"
    case .absurdCount(let count):
      id = "minidump-malformed"
      values["count"] = "\(count)"
    case .noContents: id = "minidump-empty"
    }
    return Diagnostic(id, values, at: .bytes(file: file, offset: UInt64(max(offset, 0))), exit: .malformedInput)
  }
}
