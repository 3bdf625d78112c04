/// Answers which functions an address of an image belongs to, and where they stand in the source.
///
/// It can be shared between threads. Addresses are those of the file, before the system moves the image.
package protocol FrameLookup: AnyObject, Sendable {
  /// Tells whether it knows lines; without them frames have names from a symbol table only.
  var hasDebugInfo: Bool { get }

  /// The functions that the instruction at `address` belongs to, the innermost inlined call first.
  ///
  /// Empty where nothing is known. A return address is to be looked up one byte back: it may be another line's.
  func frames(at address: UInt64) -> [SourceFrame]
}
