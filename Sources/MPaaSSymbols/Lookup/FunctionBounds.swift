import Synchronization

/// The starts and ends of functions as the tables for unwinding tell them, also of functions that no symbol names.
///
/// The tables are read when they are first asked for. It can be shared between threads.
final class FunctionBounds: Sendable {
  private let open: @Sendable () -> [CallFrameTable]
  private let known: Mutex<[CallFrameTable]?> = Mutex(nil)
  private let stubs: [Range<UInt64>]

  /// - Parameters:
  ///   - stubs: Code that the linker made and that is one entry of the tables, but many functions.
  ///   - open: Gives the tables, the first of which counts where several know an address.
  init(stubs: [Range<UInt64>], _ open: @escaping @Sendable () -> [CallFrameTable]) {
    self.stubs = stubs
    self.open = open
  }

  private var tables: [CallFrameTable] {
    known.withLock { known in
      if let known { return known }
      let made = open()
      known = made
      return made
    }
  }

  /// The addresses of the function that has `address`.
  func function(at address: UInt64) -> Range<UInt64>? {
    for table in tables {
      if let entry = table.entry(at: address), !isStub(entry.addresses) { return entry.addresses }
    }
    return nil
  }

  private func isStub(_ addresses: Range<UInt64>) -> Bool {
    stubs.contains { $0.contains(addresses.lowerBound) }
  }

  /// The answer for an address that no symbol has inside its size.
  ///
  /// - Parameter label: The symbol without a size that reaches to the address by the symbol table alone.
  /// - Returns: The label where the address is in the function that it begins; else the function without a name that
  ///   has the address.
  func match(_ label: SymbolMatch?, at address: UInt64) -> SymbolMatch? {
    let function = function(at: address)
    if let label, label.offset <= address {
      let start = address - label.offset
      if let function, function.lowerBound <= start { return label }
      if function == nil { return self.function(at: start).map { $0.contains(address) } ?? true ? label : nil }
    }
    return function.map { SymbolMatch(name: nil, offset: address - $0.lowerBound, isInside: false) }
  }

  /// The addresses at which `match` may change where no symbol's size decides, in any order.
  ///
  /// - Parameter isSized: Whether the size of a symbol covers an address.
  func bounds(where isSized: (UInt64) -> Bool) -> [UInt64] {
    var bounds: [UInt64] = []
    for table in tables {
      for entry in table.entries where !entry.addresses.isEmpty {
        let range = entry.addresses
        if isSized(range.lowerBound), isSized(range.upperBound - 1), isSized(range.upperBound) { continue }
        bounds += [range.lowerBound, range.upperBound]
      }
    }
    return bounds
  }
}
