import MPaaSSymbols

extension ReportSymbolicator {
  /// A symbolicator that finds debug files on this machine.
  ///
  /// - Parameters:
  ///   - store: The folder of the symbol store.
  ///   - paths: Files and folders that the user named, searched first.
  package static func live(store: String, paths: [String] = []) -> ReportSymbolicator {
    let demangler = Demangler()
    return ReportSymbolicator { _ in
      ImageSymbols(frames: nil, reason: .notFound)
    } demangle: {
      demangler.demangle($0)
    }
  }
}
