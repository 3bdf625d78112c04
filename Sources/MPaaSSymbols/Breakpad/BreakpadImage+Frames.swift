import MPaaSSupport

/// The rules for finding the caller at an address, as `STACK CFI` records tell.
package struct BreakpadCFI: Sendable, Equatable {
  /// Changes of rules that hold from an address on.
  package struct Change: Sendable, Equatable {
    package let address: UInt64
    /// `REGISTER: EXPRESSION …` in postfix notation, as it stands.
    package let rules: String
  }

  /// The addresses that the rules are for.
  package let range: Range<UInt64>
  /// The rules at the start of the range.
  package let initial: String
  /// The changes up to the address that was asked for, in rising order; later rules of a register replace earlier.
  package let changes: [Change]
}

extension BreakpadImage {
  /// The rules for finding the caller at an address, counted from the module's load address; nil where none cover it.
  ///
  /// - Source: Breakpad, "Symbol files", `STACK CFI` records.
  package func stackCFI(at address: UInt64) -> BreakpadCFI? {
    let frames = table.frames
    let position = frames.position(behind: address) { $0.address }
    guard position > 0 else { return nil }
    let frame = frames[position - 1]
    let (end, overflow) = frame.address.addingReportingOverflow(frame.size)
    guard overflow || address < end else { return nil }
    var offset = Int(frame.contents.lowerBound)
    var initial = ""
    var changes: [BreakpadCFI.Change] = []
    while offset < Int(frame.contents.upperBound) {
      let (line, next) = bytes.buffer.line(at: offset)
      offset = next
      var fields = BreakpadFields(bytes.buffer, line)
      guard fields.skip("STACK"), fields.skip("CFI") else { continue }
      if fields.skip("INIT") {
        guard fields.hexadecimal() != nil, fields.hexadecimal() != nil else { return nil }
        initial = bytes.text(fields.rest)
      } else if let start = fields.hexadecimal(), start <= address {
        changes.append(BreakpadCFI.Change(address: start, rules: bytes.text(fields.rest)))
      }
    }
    return BreakpadCFI(range: frame.address..<(overflow ? .max : end), initial: initial, changes: changes)
  }

  /// The `STACK WIN` records without these two words, as they stand.
  package var stackWindows: [String] { table.windowsFrames.map(bytes.text) }
}
