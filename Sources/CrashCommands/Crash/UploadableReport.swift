import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// What may be sent as a crash report.
enum UploadableReport {
  /// Looks at a file before any of it is sent: a core holds the memory of a program, and the server takes no other files.
  ///
  /// - Throws: `crash-upload-core`, `crash-upload-unknown`.
  static func check(_ bytes: Bytes, at path: String) throws(Diagnostic) {
    let (isReport, hasCore) = withExtendedLifetime(bytes) {
      (ReportFile.format(of: bytes.buffer) != nil, isCore(bytes.buffer))
    }
    guard !isReport else { return }
    throw Diagnostic(
      hasCore ? "crash-upload-core" : "crash-upload-unknown", ["path": path], at: .file(path), exit: .malformedInput)
  }

  /// Whether the bytes begin as a core of ELF (`ET_CORE`) or Mach-O (`MH_CORE`) does.
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
