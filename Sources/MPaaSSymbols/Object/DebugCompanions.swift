/// The debug information that a file only points to; each closure gives nil where there is none.
package struct DebugCompanions: Sendable {
  /// A `.dwo` file, by the name and the compilation directory that its skeleton tells.
  package var split: @Sendable (_ name: String, _ directory: String?) -> DWARFSections?
  /// The `.dwp` file that joins all `.dwo` files of the program.
  package var package: @Sendable () -> DWARFSections?
  /// The sections that dwz moved out of several files (`.gnu_debugaltlink`, `.debug_sup`).
  package var alternate: @Sendable () -> DWARFSections?
  /// An object file that a linked Mach-O image names in its debug map.
  package var object: (@Sendable (LinkedObject) -> (any ObjectImage)?)?

  package init(
    split: @escaping @Sendable (_ name: String, _ directory: String?) -> DWARFSections? = { _, _ in nil },
    package: @escaping @Sendable () -> DWARFSections? = { nil },
    alternate: @escaping @Sendable () -> DWARFSections? = { nil },
    object: (@Sendable (LinkedObject) -> (any ObjectImage)?)? = nil
  ) {
    self.split = split
    self.package = package
    self.alternate = alternate
    self.object = object
  }

  package static let none = DebugCompanions()
}
