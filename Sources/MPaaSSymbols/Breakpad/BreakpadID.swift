/// The identity of a module as Breakpad writes it: 32 hexadecimal digits of a GUID, then the age.
///
/// For an ELF file it is the first 16 bytes of the build ID read as a little-endian GUID, so that the bytes of its
/// first three fields stand in reverse, with the age 0; for a Mach-O file it is the UUID as it is, with the age 0.
///
/// - Source: Breakpad, "Symbol files" (`MODULE` records); symbolicator, "Symbol Server Compatibility", Identifiers.
package struct BreakpadID: Sendable, Hashable {
  /// The GUID's 16 bytes in the order in which they are written.
  package let guid: [UInt8]
  package let age: UInt32

  /// Reads `C0BCC3F19827FE653058404B2831D9E60`, dashes allowed; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let digits = String(text).filter { $0 != "-" }
    guard digits.utf8.count > 32, digits.utf8.count <= 40,
      let id = BuildID(hex: digits.prefix(32)), let age = UInt32(digits.dropFirst(32), radix: 16)
    else { return nil }
    guid = id.bytes
    self.age = age
  }

  /// The ID of a module with a build ID; shorter build IDs are filled up with zeros.
  ///
  /// - Parameter isMachO: Whether the build ID is a UUID, which is taken as it is.
  package init(_ id: BuildID, isMachO: Bool) {
    let bytes = Array(id.bytes.prefix(16)) + [UInt8](repeating: 0, count: max(16 - id.bytes.count, 0))
    guid = isMachO ? bytes : Self.swapped(bytes)
    age = 0
  }

  /// As symbol servers' paths have it: the GUID in upper case, the age in lower case.
  package var text: String {
    BuildID(guid).map { $0.hex.uppercased() + String(age, radix: 16) } ?? ""
  }

  /// The build ID as far as the ID tells it: all of a UUID, the first 16 bytes of an ELF file's.
  package func buildID(isMachO: Bool) -> BuildID? {
    BuildID(isMachO ? guid : Self.swapped(guid))
  }

  /// The same 16 bytes with each of the GUID's first three fields (4, 2 and 2 bytes) turned round.
  private static func swapped(_ bytes: [UInt8]) -> [UInt8] {
    [bytes[3], bytes[2], bytes[1], bytes[0], bytes[5], bytes[4], bytes[7], bytes[6]] + bytes[8...]
  }
}

extension BuildID {
  /// Tells whether both name one build: they are equal, or one is the 16 bytes that Breakpad keeps of the other.
  package func isSameBuild(as other: BuildID) -> Bool {
    if bytes.count == other.bytes.count { return bytes == other.bytes }
    let shorter = min(bytes.count, other.bytes.count)
    return shorter == 16 && bytes.prefix(16) == other.bytes.prefix(16)
  }
}
