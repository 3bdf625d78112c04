/// The symbol table's answer about an address.
package struct SymbolMatch: Sendable, Equatable {
  /// Nil for a function that nothing names, and of which only the bounds are known.
  package let name: String?
  /// Bytes from the symbol's address, or from the start of the function.
  package let offset: UInt64
  /// True if the symbol's size covers the address; false for a symbol without a size, and a function without a name.
  package let isInside: Bool
  /// Tells whether the table is the program's own; false for a debug file's, which lists all aliases of the source too.
  package let isOwn: Bool

  package init(name: String?, offset: UInt64, isInside: Bool, isOwn: Bool = true) {
    self.name = name
    self.offset = offset
    self.isInside = isInside
    self.isOwn = isOwn
  }
}
