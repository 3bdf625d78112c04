import MPaaSSupport

/// The table that one walk over a Breakpad symbol file collects: where its records stand, sorted by address.
///
/// Lines and inlined calls stay in the file: they are read when an address falls into their function.
struct BreakpadTable: Sendable {
  struct Function {
    let address: UInt64
    let size: UInt64
    let name: BreakpadFields.Span
    /// The range of its lines and inlined calls, up to the next record of another kind.
    let contents: Range<UInt32>

    var end: UInt64 { address.addingReportingOverflow(size).overflow ? .max : address + size }
  }

  struct Symbol {
    let address: UInt64
    let name: BreakpadFields.Span
  }

  /// A `STACK CFI INIT` record with what follows it.
  struct Frame {
    let address: UInt64
    let size: UInt64
    let contents: Range<UInt32>
  }

  private(set) var functions: [Function] = []
  private(set) var symbols: [Symbol] = []
  private(set) var frames: [Frame] = []
  private(set) var files: [UInt32: BreakpadFields.Span] = [:]
  private(set) var origins: [UInt32: BreakpadFields.Span] = [:]
  /// `STACK WIN` records as they stand.
  private(set) var windowsFrames: [BreakpadFields.Span] = []

  /// Records that cannot be read are left out: Breakpad's own reader does so too.
  init(_ bytes: Bytes) {
    let buffer = bytes.buffer
    var offset = 0
    // The function or frame whose contents the lines belong to that come next.
    var open: Open?
    while offset < buffer.count {
      let (line, next) = buffer.line(at: offset)
      if !line.isEmpty, !belongsToOpen(buffer, line, open) {
        close(open, at: offset)
        open = record(buffer, line, next)
      }
      offset = next
    }
    close(open, at: buffer.count)
    functions.sort { $0.address < $1.address }
    symbols.sort { $0.address < $1.address }
    frames.sort { $0.address < $1.address }
  }

  private enum Open {
    case function(address: UInt64, size: UInt64, name: BreakpadFields.Span, from: Int)
    case frame(address: UInt64, size: UInt64, from: Int)
  }

  private func belongsToOpen(_ buffer: UnsafeRawBufferPointer, _ line: Range<Int>, _ open: Open?) -> Bool {
    var fields = BreakpadFields(buffer, line)
    switch open {
    case nil: return false
    case .function:
      // Line records begin with an address in lower case; no other record does.
      if fields.skip("INLINE") { return true }
      guard !fields.skip("FUNC"), !fields.skip("FILE") else { return false }
      return fields.hexadecimal() != nil
    case .frame:
      return fields.skip("STACK") && fields.skip("CFI") && !fields.skip("INIT")
    }
  }

  private mutating func close(_ open: Open?, at offset: Int) {
    switch open {
    case nil: break
    case .function(let address, let size, let name, let from):
      functions.append(Function(address: address, size: size, name: name, contents: UInt32(from)..<UInt32(offset)))
    case .frame(let address, let size, let from):
      frames.append(Frame(address: address, size: size, contents: UInt32(from)..<UInt32(offset)))
    }
  }

  /// Takes in a record; one that others may follow is given back.
  private mutating func record(_ buffer: UnsafeRawBufferPointer, _ line: Range<Int>, _ next: Int) -> Open? {
    var fields = BreakpadFields(buffer, line)
    if fields.skip("FUNC") {
      _ = fields.skip("m")
      guard let address = fields.hexadecimal(), let size = fields.hexadecimal(), fields.hexadecimal() != nil else {
        return nil
      }
      return .function(address: address, size: size, name: fields.rest, from: next)
    }
    if fields.skip("PUBLIC") {
      _ = fields.skip("m")
      if let address = fields.hexadecimal(), fields.hexadecimal() != nil {
        symbols.append(Symbol(address: address, name: fields.rest))
      }
    } else if fields.skip("FILE") {
      if let number = fields.decimal() { files[number] = fields.rest }
    } else if fields.skip("INLINE_ORIGIN") {
      if let number = fields.decimal() { origins[number] = fields.rest }
    } else if fields.skip("STACK") {
      if fields.skip("CFI"), fields.skip("INIT"), let address = fields.hexadecimal(), let size = fields.hexadecimal() {
        return .frame(address: address, size: size, from: line.lowerBound)
      }
      if fields.skip("WIN") { windowsFrames.append(fields.rest) }
    }
    return nil
  }
}

extension BreakpadTable {
  /// The addresses of the function that has `address`, as the rules for unwinding tell them.
  func unwound(at address: UInt64) -> Range<UInt64>? {
    let position = frames.position(behind: address) { $0.address }
    guard position > 0, address - frames[position - 1].address < frames[position - 1].size else { return nil }
    let frame = frames[position - 1]
    let (end, overflow) = frame.address.addingReportingOverflow(frame.size)
    return frame.address..<(overflow ? .max : end)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The position behind the last element whose `address` is not above the one given.
  func position(behind address: UInt64, _ key: (Element) -> UInt64) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if key(self[middle]) <= address { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
