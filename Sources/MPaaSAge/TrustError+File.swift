package import MPaaSSupport

extension TrustError {
  /// Makes the error of a file that could not be read or written, as this target tells it.
  package init(_ error: FileError) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// Does work on what a file holds; an error of it names the file.
  package static func at<Value>(
    _ path: String, _ work: () throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    do throws(TrustError) { return try work() } catch { throw TrustError(error.code, error.values, at: .file(path)) }
  }
}
