import MPaaSCrashReport
import MPaaSSymbols

extension DebugFileSearch {
  /// The unwind information of an image's file; only files of the same build are taken.
  func unwindFile(of image: CrashReport.Image) -> UnwindFile? {
    let buildID = BuildID(hex: image.buildID)
    let finding = find(path: image.path.hasPrefix("/") ? image.path : nil, buildID: buildID)
    let found = [finding.executable, finding.debugFile].compactMap { $0?.image }
    guard let first = found.first, buildID != nil || first.buildID == nil,
      let source = UnwindSources(found.map { $0.unwindSource(from: first.loadAddress) })
    else { return nil }
    return UnwindFile(source: source, slide: image.base &- first.loadAddress)
  }
}

extension ObjectImage {
  /// The file's unwind information, for addresses of a file that wants to lie at `loadAddress`.
  ///
  /// Breakpad's files count from 0, whatever the program does.
  fileprivate func unwindSource(from loadAddress: UInt64) -> (any UnwindSource)? {
    guard loadAddress != self.loadAddress, let source = unwindSource else { return unwindSource }
    return MovedUnwindSource(source, by: self.loadAddress &- loadAddress)
  }
}
