package import MPaaSSupport

/// The reason why a file is not the Mach-O image that it says it is.
package struct MachOError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case badMagic, truncated
    /// A slice of a fat file does not lie inside it, or it has none.
    case badSlice
    /// A load command passes the end of the commands, or is too small for what it is.
    case badCommand
    /// More commands, sections or slices than any linker writes.
    case tooMany
  }
  package let code: Code
  /// Bytes from the start of the file to the field that cannot be true.
  package let offset: UInt64
  /// The value that is there.
  package let value: UInt64

  package init(_ code: Code, offset: UInt64, value: UInt64 = 0) {
    self.code = code
    self.offset = offset
    self.value = value
  }

  /// The same in a file that has the image at `start`.
  func moved(by start: UInt64) -> MachOError {
    MachOError(code, offset: offset &+ start, value: value)
  }
}

extension MachOError {
  /// The same for a user, with the file.
  package func diagnostic(file: String) -> Diagnostic {
    let id: DiagnosticID =
      switch code {
      case .badMagic: "macho-not-macho"
      case .truncated: "macho-truncated"
      case .badSlice: "macho-bad-slice"
      case .badCommand, .tooMany: "macho-malformed"
      }
    return Diagnostic(
      id, ["file": file, "offset": "0x" + String(offset, radix: 16), "value": "0x" + String(value, radix: 16)],
      at: .bytes(file: file, offset: offset), exit: .malformedInput)
  }
}
