package import MPaaSSupport

extension TrustError {
  /// Why a file could not be read or written, as this target tells it.
  package init(_ error: FileError) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }
}
