package import MPaaSSymbols

/// The unwind information of an image of a dump, and the distance to where its file wants to lie.
package struct UnwindFile: Sendable {
  package var source: any UnwindSource
  /// The number to take from an address of the process to get the file's own.
  package var slide: UInt64

  package init(source: any UnwindSource, slide: UInt64) {
    self.source = source
    self.slide = slide
  }
}
