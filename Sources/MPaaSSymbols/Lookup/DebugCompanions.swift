/// Where debug information lies that a file only points to; each closure gives nil where there is none.
package struct DebugCompanions: Sendable {
  /// A `.dwo` file, by the name and the compilation directory that its skeleton tells.
  package var split: @Sendable (_ name: String, _ directory: String?) -> DWARFSections?
  /// The `.dwp` file that joins all `.dwo` files of the program.
  package var package: @Sendable () -> DWARFSections?
  /// What dwz moved out of several files (`.gnu_debugaltlink`, `.debug_sup`).
  package var alternate: @Sendable () -> DWARFSections?
  /// An object file that a linked Mach-O image names in its debug map.
  package var object: (@Sendable (DebugMap.Object) -> MachOImage?)?

  package init(
    split: @escaping @Sendable (_ name: String, _ directory: String?) -> DWARFSections? = { _, _ in nil },
    package: @escaping @Sendable () -> DWARFSections? = { nil },
    alternate: @escaping @Sendable () -> DWARFSections? = { nil },
    object: (@Sendable (DebugMap.Object) -> MachOImage?)? = nil
  ) {
    self.split = split
    self.package = package
    self.alternate = alternate
    self.object = object
  }

  package static let none = DebugCompanions()
}

/// What a symbol table says about an address.
package struct SymbolMatch: Sendable, Equatable {
  /// Nil for a function that nothing names, and of which only the bounds are known.
  package let name: String?
  /// Bytes from the symbol's address, or from the start of the function.
  package let offset: UInt64
  /// True if the symbol's size covers the address; false for a symbol without a size, and a function without a name.
  package let isInside: Bool
  /// Whether the table is the program's own; false for a debug file's, which lists all aliases of the source too.
  package let isOwn: Bool

  package init(name: String?, offset: UInt64, isInside: Bool, isOwn: Bool = true) {
    self.name = name
    self.offset = offset
    self.isInside = isInside
    self.isOwn = isOwn
  }
}
