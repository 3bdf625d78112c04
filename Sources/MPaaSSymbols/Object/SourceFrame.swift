/// One function that an address belongs to: the innermost inlined call, one of those around it, or the function itself.
package struct SourceFrame: Sendable, Equatable {
  /// As the linker or the debug information names it; nil where nothing names it.
  package var symbol: String?
  /// Bytes from the start of `symbol`, where only a symbol table knew it; without a symbol from the start of the
  /// function, where its bounds are known and its name is not.
  package var offset: UInt64?
  /// As the line table joins it: directory and name, not made absolute by us.
  package var file: String?
  /// From 1; nil for code that the compiler made up (line 0) or that has no line.
  package var line: Int?
  /// From 1; nil where unknown.
  package var column: Int?
  /// The number of the block on the line, from 1; nil where the line has one only, and for calls.
  package var discriminator: Int?
  /// Tells whether the function was inlined into the next frame's.
  package var isInlined: Bool

  package init(
    symbol: String? = nil, offset: UInt64? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil,
    isInlined: Bool = false
  ) {
    self.symbol = symbol
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }
}
