import MPaaSSupport

extension SymbolStore {
  /// Adds all object files of an archive that tell something, without unpacking it.
  ///
  /// - Throws: `StoreError` where the archive cannot be read to its end or nothing in it is of use.
  func addMembers(of path: String) throws(StoreError) -> [AddedSymbols] {
    let given = GivenPaths([path])
    let index = given.contents
    let files = Set(index.builds.values.joined())
    var results: [AddedSymbols] = []
    let maps = SymbolMapSearch(given: index.symbolMaps) { given.bytes(at: $0) }
    for file in files.sorted() {
      for image in given.images(at: file) ?? [] {
        guard let id = image.buildID, let entry = try? entry(of: image, id, file) else { continue }
        results.append(try keep(image.bytes, entry))
        try keepSymbolMap(of: image, file, maps)
      }
    }
    if let error = index.unreadable[path] { throw .archive(error, path: path) }
    if results.isEmpty { throw .nothingUseful(path: path) }
    return results
  }

  /// Keeps the symbol map of an image whose names the build hid, beside the image.
  func keepSymbolMap(of image: any ObjectImage, _ path: String, _ maps: SymbolMapSearch) throws(StoreError) {
    guard let image = image as? MachOImage, let id = image.buildID, let map = maps.find(for: image, at: path) else {
      return
    }
    let place = folder(of: id) + "/" + Self.symbolMapName
    if (try? Bytes.mapping(place).array) == map.bytes.array { return }
    try changing { () throws(FileError) in
      try map.bytes.write(to: place)
      // It was made with the names of another map.
      try FileSystem.remove(folder(of: id) + "/" + Self.indexName)
    }
  }
}
