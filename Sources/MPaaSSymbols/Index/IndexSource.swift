/// A look-up whose answers can be listed part by part, for an index of them all.
package protocol IndexableLookup: FrameLookup {
  /// Makes ready to list; nil where not all answers can be listed.
  func indexSource() -> IndexSource?
}

/// The source of an index: parts that can be written independently of each other, on several threads.
package struct IndexSource: Sendable {
  /// The cost of each part, in bytes of debug information or the like; their number is the number of parts.
  package let costs: [Int]
  /// Bytes of debug information and symbols together, which bound what the index may take.
  package let size: Int
  /// Writes one part.
  package let write: @Sendable (_ part: Int, _ target: IndexPart) -> Void
  /// Called when all parts are written: of what was read for them, only the names are needed from then on.
  package let finish: @Sendable () -> Void

  package init(
    costs: [Int], size: Int, write: @escaping @Sendable (_ part: Int, _ target: IndexPart) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    self.costs = costs
    self.size = size
    self.write = write
    self.finish = finish
  }
}
