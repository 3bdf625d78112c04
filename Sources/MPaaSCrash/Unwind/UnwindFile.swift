package import MPaaSSymbols

/// What is known of unwinding from an image of a dump, and where its file wants to lie.
package struct UnwindFile: Sendable {
  package var source: any UnwindSource
  /// What to take from an address of the process to get the file's own.
  package var slide: UInt64

  package init(source: any UnwindSource, slide: UInt64) {
    self.source = source
    self.slide = slide
  }
}
