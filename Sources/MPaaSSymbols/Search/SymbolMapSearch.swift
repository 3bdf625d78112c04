import MPaaSSupport

/// Finds the symbol map of an image whose names the build hid.
struct SymbolMapSearch {
  private static let ending = ".bcsymbolmap"

  /// Maps that the user gave, by the UUID that names them.
  var given: [BuildID: String] = [:]
  var store: SymbolStore?
  /// Reads a file, also one inside an archive; nil where it is not there.
  let read: (String) -> Bytes?

  /// A map that was found.
  struct Found {
    let path: String
    let bytes: Bytes
  }

  /// The map that belongs to an image; nil where its names are not hidden or no map is found.
  ///
  /// A map bears the UUID of the build that was made here. Where Apple recompiled it, the dSYM has another UUID, and a
  /// list in the bundle tells the first one.
  func find(for image: MachOImage, at path: String) -> Found? {
    guard image.hasHiddenNames, let id = image.buildID else { return nil }
    if let store, let stored = found(at: store.folder(of: id) + "/" + SymbolStore.symbolMapName) { return stored }
    let bundle = DSYMBundle.bundle(of: path)
    let original = bundle.flatMap { read(DSYMBundle.originList(in: $0, id)) }.flatMap(DSYMBundle.originalBuild)
    let beside = bundle.map { FileSystem.folder(of: $0) } ?? FileSystem.folder(of: path)
    for id in [original, id].compactMap({ $0 }) {
      var paths = given[id].map { [$0] } ?? []
      for folder in [beside, beside + "/BCSymbolMaps", FileSystem.folder(of: beside) + "/BCSymbolMaps"] {
        paths += [id.dashed, id.dashed.lowercased()].map { folder + "/" + $0 + Self.ending }
      }
      for path in paths {
        if let map = found(at: path) { return map }
      }
    }
    return nil
  }

  private func found(at path: String) -> Found? {
    guard let bytes = read(path), SymbolMap.matches(bytes) else { return nil }
    return Found(path: path, bytes: bytes)
  }

  /// The UUID that a symbol map bears as its name; nil where the file is none by its name.
  static func buildID(ofName name: String) -> BuildID? {
    name.hasSuffix(ending) ? BuildID(hex: name.dropLast(ending.count)) : nil
  }
}
