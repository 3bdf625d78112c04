package import MPaaSSymbols

/// The result of a search for the symbols of an image.
package struct ImageSymbols: Sendable {
  /// Names and lines of an address of the file; nil where no file was found.
  package var frames: (@Sendable (UInt64) -> [SourceFrame])?
  /// The reason why it is less than names and lines; nil where it is both.
  package var reason: MissingSymbols.Reason?
  package var searched: [String]
  package var nearMisses: [MissingSymbols.NearMiss]

  /// Tells whether an address begins the code by which a signal handler goes back; nil where only names tell.
  package var isSignalFrame: (@Sendable (UInt64) -> Bool)?

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
