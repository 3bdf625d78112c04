import MPaaSSymbols

extension DebugFileSearch {
  /// What the files of an image tell of unwinding; only files of the same build are taken.
  func unwindFile(of image: CrashReport.Image) -> UnwindFile? {
    let buildID = BuildID(hex: image.buildID)
    let finding = find(path: image.path.hasPrefix("/") ? image.path : nil, buildID: buildID)
    let found = [finding.executable, finding.debugFile].compactMap { $0?.image }
    guard let first = found.first, buildID != nil || first.buildID == nil,
      let source = UnwindSources(found.map(\.unwindSource))
    else { return nil }
    return UnwindFile(source: source, slide: image.base &- first.loadAddress)
  }
}
