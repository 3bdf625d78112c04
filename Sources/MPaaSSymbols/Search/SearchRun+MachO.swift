import MPaaSSupport

extension SearchRun {
  /// The object files that the executable was linked from, where they are still there.
  mutating func byDebugMap() -> Bool {
    guard let executable = finding.executable, let image = executable.image as? MachOImage, let map = image.debugMap
    else { return false }
    let folder = FileSystem.folder(of: executable.path)
    let objects = DebugObjects(map, architecture: image.architecture, beside: folder) {
      search.given.contents.objects[$0] ?? []
    }
    guard !objects.files.isEmpty else { return false }
    finding.objects = objects
    finding.debugFile = finding.debugFile ?? executable
    return true
  }

  /// Gives files whose names the build hid their symbol map, where one is found.
  mutating func revealNames() {
    finding.executable = finding.executable.map(revealed)
    finding.debugFile = finding.debugFile.map { file in
      // They may be one and the same, and are told to be by identity.
      if let executable = finding.executable, executable.path == file.path,
        executable.image.buildID == file.image.buildID
      {
        return executable
      }
      return revealed(file)
    }
  }

  private func revealed(_ file: LocatedImage) -> LocatedImage {
    guard let image = file.image as? MachOImage, image.hiddenNames == nil, image.hasHiddenNames else { return file }
    let maps = SymbolMapSearch(given: search.given.contents.symbolMaps, store: search.store) { path in
      search.given.bytes(at: path)
    }
    guard let found = maps.find(for: image, at: file.path), let map = SymbolMap(found.bytes) else { return file }
    var revealed = LocatedImage(path: file.path, image: image.revealing(map), place: file.place)
    revealed.symbolMap = found.path
    return revealed
  }
}
