package import MPaaSSupport

/// The call frame information of an image: `.eh_frame`, `__eh_frame` or `.debug_frame`.
///
/// The list of functions is read once; a function's rules are worked out when they are asked for. Damaged entries are
/// left out. It can be shared between threads.
///
/// - Source: DWARF 5, 6.4; LSB Core, "Exception Frames"; ARM "DWARF for the Arm 64-bit Architecture", 4.
package final class CallFrameTable: UnwindSource {
  package enum Kind: Sendable { case ehFrame, debugFrame }

  /// The section, and what its pointers are relative to.
  package struct Section: Sendable {
    package var bytes: Bytes
    package var kind: Kind
    /// The address of the section in the image's own addresses.
    package var address: UInt64
    /// Bytes: 4 or 8.
    package var addressSize: Int
    package var isBigEndian: Bool
    /// The address of the code, for pointers relative to it; nearly never used.
    package var textAddress: UInt64
    /// The same for data.
    package var dataAddress: UInt64

    package init(
      _ bytes: Bytes, kind: Kind, address: UInt64, addressSize: Int, isBigEndian: Bool = false,
      textAddress: UInt64 = 0, dataAddress: UInt64 = 0
    ) {
      self.bytes = bytes
      self.kind = kind
      self.address = address
      self.addressSize = addressSize
      self.isBigEndian = isBigEndian
      self.textAddress = textAddress
      self.dataAddress = dataAddress
    }
  }

  /// A function that the table tells of.
  package struct Entry: Sendable {
    package let addresses: Range<UInt64>
    /// The offset of the entry in the section.
    package let offset: Int
    /// Its instructions, as offsets in the section.
    let program: Range<Int>
    /// Index of what it has in common with others.
    let common: Int
  }

  let section: Section
  /// In the order of their first addresses.
  package let entries: [Entry]
  let commons: [CallFrameCommon]

  package init(_ section: Section) {
    self.section = section
    var reader = CallFrameReader(section)
    reader.read()
    entries = reader.entries.sorted { ($0.addresses.lowerBound, $0.offset) < ($1.addresses.lowerBound, $1.offset) }
    commons = reader.commons
    withExtendedLifetime(section.bytes) {}
  }

  /// The function that an address is in.
  package func entry(at address: UInt64) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].addresses.lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, entries[low - 1].addresses.contains(address) else { return nil }
    return entries[low - 1]
  }

  /// Tells whether the code at an address is what a signal handler goes back by.
  package func isSignalFrame(at address: UInt64) -> Bool {
    entry(at: address).map { commons[$0.common].isSignalFrame } ?? false
  }

  package func rules(at address: UInt64) -> UnwindRules? {
    entry(at: address).flatMap { rules(of: $0, at: address) }
  }

  /// The rules of the function whose entry begins at an offset of the section, as compact unwind information names it.
  package func rules(ofEntryAt offset: Int, at address: UInt64) -> UnwindRules? {
    entries.first { $0.offset == offset }.flatMap { rules(of: $0, at: address) }
  }

  private func rules(of entry: Entry, at address: UInt64) -> UnwindRules? {
    defer { withExtendedLifetime(section.bytes) {} }
    var program = CallFrameProgram(section, commons[entry.common], entry)
    return program.run(upTo: address)
  }

  /// All rows of a function: from which address which rules hold.
  package func rows(of entry: Entry) -> [(address: UInt64, rules: UnwindRules)] {
    defer { withExtendedLifetime(section.bytes) {} }
    var rows: [(UInt64, UnwindRules)] = []
    var program = CallFrameProgram(section, commons[entry.common], entry)
    program.onRow = { rows.append(($0, $1)) }
    if let last = program.run(upTo: .max) { rows.append((program.address, last)) }
    return rows
  }
}

/// The common part of several functions' entries (a CIE).
struct CallFrameCommon: Sendable {
  var codeAlignment: UInt64 = 1
  var dataAlignment: Int64 = 1
  var returnAddress = 0
  /// The encoding of addresses in entries (`DW_EH_PE_…`).
  var encoding: UInt8 = 0
  var hasAugmentationData = false
  var isSignalFrame = false
  var addressSize: UInt8 = 8
  var segmentSize: UInt8 = 0
  /// Its instructions, as offsets in the section.
  var program = 0..<0
}
