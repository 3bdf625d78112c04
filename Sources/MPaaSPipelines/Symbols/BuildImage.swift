package import MPaaSSymbols

/// An image of a build: a program or library with code, and the state of its symbols.
package struct BuildImage: Sendable, Equatable {
  package enum Symbols: String, Sendable, Encodable, CaseIterable {
    /// In the image, or in a file of the build.
    case found
    /// In the store from earlier.
    case stored
    /// Nowhere: crashes in it will have no lines.
    case missing
    /// The linker gave the image no build ID, so that nothing can be found for it.
    case unidentified = "no-build-id"
  }

  package let path: String
  /// nil where the linker gave it none.
  package let buildID: BuildID?
  package let architecture: String
  package let symbols: Symbols

  package init(path: String, buildID: BuildID?, architecture: String, symbols: Symbols) {
    self.path = path
    self.buildID = buildID
    self.architecture = architecture
    self.symbols = symbols
  }

  package var isMissing: Bool { symbols == .missing || symbols == .unidentified }
}
