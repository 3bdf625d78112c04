package import MPaaSSupport

/// Names the errors of files that are not sent.
package enum UploadDomain {}

/// The reason why a file is not sent as a report.
package typealias UploadError = CodedError<UploadDomain>

extension UploadError.Code {
  /// The memory of a program.
  package static var core: Self { .malformed("crash-upload-core") }
  /// No format of reports that is known.
  package static var unknown: Self { .malformed("crash-upload-unknown") }
}

/// Files that may be sent as crash reports.
package enum UploadableReport {
  /// Looks at a file before any of it is sent: a core holds the memory of a program, and the server takes no other
  /// files.
  package static func check(_ bytes: Bytes, at path: String) throws(UploadError) {
    let (isReport, hasCore) = withExtendedLifetime(bytes) {
      (ReportFile.format(of: bytes.buffer) != nil, isCore(bytes.buffer))
    }
    guard !isReport else { return }
    throw UploadError(hasCore ? .core : .unknown, ["path": path], at: .file(path))
  }

  /// Tells whether the bytes begin as a core of ELF (`ET_CORE`) or Mach-O (`MH_CORE`) does.
  ///
  /// - Source: System V ABI, chapter 4, "ELF Header"; `mach-o/loader.h`.
  private static func isCore(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 20 else { return false }
    if bytes.prefix(4).elementsEqual([0x7f, 0x45, 0x4c, 0x46]) {
      // Byte 5 is the order of bytes, 2 for the big end first.
      return bytes[5] == 2 ? bytes[16] == 0 && bytes[17] == 4 : bytes[16] == 4 && bytes[17] == 0
    }
    let isMachO = [0xcf, 0xce].contains(bytes[0]) && bytes[1..<4].elementsEqual([0xfa, 0xed, 0xfe])
    return isMachO && bytes[12] == 4 && bytes[13..<16].allSatisfy { $0 == 0 }
  }
}
