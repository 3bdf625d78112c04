/// A named part of an image: code, data, or DWARF.
package struct MachOSection: Sendable {
  package let segment: String
  package let name: String
  package let address: UInt64
  package let size: UInt64
  /// Bytes from the start of the image.
  let offset: UInt64
  let relocationOffset: UInt64
  let relocationCount: UInt32
  let flags: UInt32

  /// Tells whether it holds instructions (`S_ATTR_PURE_INSTRUCTIONS`, `S_ATTR_SOME_INSTRUCTIONS`).
  package var isCode: Bool { flags & 0x8000_0400 != 0 }
  /// Tells whether it is zeros that the file does not hold (`S_ZEROFILL`, `S_GB_ZEROFILL`, `S_THREAD_LOCAL_ZEROFILL`).
  var isZeros: Bool { [1, 12, 18].contains(flags & 0xff) }

  package var addresses: Range<UInt64>? {
    let (end, overflow) = address.addingReportingOverflow(size)
    return overflow ? nil : address..<end
  }
}

/// A range of an image's address space.
package struct MachOSegment: Sendable {
  package let name: String
  package let address: UInt64
  package let size: UInt64
  /// Bytes from the start of the image.
  package let offset: UInt64
  package let fileSize: UInt64
  /// The most that code may set the protection to, by `VM_PROT_READ` (1), `VM_PROT_WRITE` (2), `VM_PROT_EXECUTE` (4).
  package let maximumProtection: UInt32
  /// The protection when the image was loaded.
  package let initialProtection: UInt32
}

/// A part of the file that a load command names.
package struct MachOBlob: Sendable, Equatable {
  package let offset: UInt64
  package let size: UInt64
}
