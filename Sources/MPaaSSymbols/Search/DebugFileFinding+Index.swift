import MPaaSSupport

extension DebugFileFinding {
  /// Tells whether the build hid names and no symbol map tells them.
  private var lacksSymbolMap: Bool {
    [executable, debugFile].contains { located in
      located?.symbolMap == nil && (located?.image as? MachOImage)?.hasHiddenNames == true
    }
  }

  /// The files that an index of the image is made of, the image first; nil where there is none.
  func indexedFiles(_ store: SymbolStore?) -> [IndexedFile]? {
    // Object files come and go without the image changing, and a symbol map may be found the next time.
    guard objects == nil, !lacksSymbolMap else { return nil }
    guard let main = executable ?? debugFile,
      var files = IndexedFile(.image, main.path, main.image, store).map({ [$0] })
    else { return nil }
    let others: [(IndexedFile.Role, LocatedImage?)] = [
      (.debugFile, debugFile), (.alternate, alternate), (.package, package),
    ]
    for (role, located) in others {
      guard let located, located.image !== main.image else { continue }
      guard let file = IndexedFile(role, located, store) else { return nil }
      files.append(file)
    }
    for map in [executable?.symbolMap, debugFile?.symbolMap] {
      guard let map, !files.contains(where: { $0.role == .symbolMap && $0.path == map }) else { continue }
      // One inside an archive has no identity of its own.
      guard let file = IndexedFile(.symbolMap, map, size: nil, buildID: nil, store) else { return nil }
      if !files.contains(file) { files.append(file) }
    }
    return files
  }

  /// Tells whether the debug information points to a file that was not found.
  var lacksAlternate: Bool {
    alternate == nil && debugFile?.image.alternateDebugLink != nil
  }
}

extension IndexedFile {
  fileprivate init?(_ role: Role, _ located: LocatedImage, _ store: SymbolStore?) {
    // A fat file that has the debug information is compared as a whole.
    self.init(role, located.path, size: nil, buildID: located.image.buildID, store)
  }
}
