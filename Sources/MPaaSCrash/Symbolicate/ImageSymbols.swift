package import MPaaSSymbols

/// What a search for the symbols of an image came to.
package struct ImageSymbols: Sendable {
  /// Names and lines of an address of the file; nil where no file was found.
  package var frames: (@Sendable (UInt64) -> [SourceFrame])?
  /// Why it is less than names and lines; nil where it is both.
  package var reason: MissingSymbols.Reason?
  package var searched: [String]
  package var nearMisses: [MissingSymbols.NearMiss]

  package init(
    frames: (@Sendable (UInt64) -> [SourceFrame])?, reason: MissingSymbols.Reason? = nil, searched: [String] = [],
    nearMisses: [MissingSymbols.NearMiss] = []
  ) {
    self.frames = frames
    self.reason = reason
    self.searched = searched
    self.nearMisses = nearMisses
  }
}
