package import MPaaSSupport

/// The reason why a file is not the ELF image that it says it is.
package struct ELFError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    case badMagic, badClass, badByteOrder, truncated
    case badEntrySize, sectionTablePastEnd, programTablePastEnd, sectionPastEnd, segmentPastEnd
    case badCompression, absurdSize, damagedCompression, badNote, badDebugLink, badSymbolTable
  }
  package let code: Code
  /// Bytes from the start of the file to the field that cannot be true.
  package let offset: UInt64
  /// The value that is there.
  package let value: UInt64

  package init(code: Code, offset: UInt64, value: UInt64 = 0) {
    self.code = code
    self.offset = offset
    self.value = value
  }
}

extension ELFError {
  /// The same for a user, with the file.
  package func diagnostic(file: String) -> Diagnostic {
    let id: DiagnosticID =
      switch code {
      case .badMagic: "elf-not-elf"
      case .badClass, .badByteOrder: "elf-unknown-kind"
      case .truncated, .sectionTablePastEnd, .programTablePastEnd, .segmentPastEnd: "elf-truncated"
      case .sectionPastEnd: "elf-section-past-end"
      case .badCompression, .absurdSize, .damagedCompression: "elf-bad-compression"
      case .badEntrySize, .badNote, .badDebugLink, .badSymbolTable: "elf-malformed"
      }
    return Diagnostic(
      id, ["file": file, "offset": "0x" + String(offset, radix: 16), "value": "0x" + String(value, radix: 16)],
      at: .bytes(file: file, offset: offset), exit: .malformedInput)
  }
}
