import MPaaSSupport

extension SymbolStore {
  /// Adds a library of a device's system by its symbols alone, with the version that its path tells.
  ///
  /// - Throws: `StoreError` where it is no object file, has no build ID or no symbols, or cannot be written.
  package func addSystem(_ path: String) throws(StoreError) -> [AddedSymbols] {
    let images = try Self.images(at: path)
    var results: [AddedSymbols] = []
    for image in images {
      guard let id = image.buildID else {
        if images.count == 1 { throw .noBuildID(path: path) }
        continue
      }
      guard image.symbolCount > 0 else {
        if images.count == 1 { throw .nothingUseful(path: path) }
        continue
      }
      let listing = image as? any ObjectImage & SymbolListing
      let bytes = listing.flatMap { BreakpadWriter.symbols(of: $0, id, name: FileSystem.name(of: path)) }
      let kept = bytes ?? image.bytes
      results.append(
        try keep(
          kept,
          StoredSymbols(
            buildID: id, role: .system, name: FileSystem.name(of: path), origin: FileSystem.resolved(path) ?? path,
            size: UInt64(kept.count), architecture: image.architecture,
            sections: bytes == nil ? image.offeredSections : ["public"], added: now(),
            system: SystemVersion.name(in: path))))
    }
    return results
  }
}

/// The version of the system that a folder of libraries is from, as Xcode names the folders.
enum SystemVersion {
  /// `iOS 17.4 (21E219)` of `…/iOS DeviceSupport/iPhone15,2 17.4 (21E219)/Symbols/…`; nil where no folder tells.
  static func name(in path: String) -> String? {
    let folders = path.split(separator: "/")
    let ending = " DeviceSupport"
    let platform = folders.first { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) + " " } ?? ""
    for folder in folders.reversed() {
      guard let open = folder.firstIndex(of: "("), let close = folder[open...].firstIndex(of: ")"),
        let version = folder[..<open].split(separator: " ").last,
        version.first?.isNumber == true, version.allSatisfy({ $0.isNumber || $0 == "." })
      else { continue }
      let build = folder[folder.index(after: open)..<close]
      guard !build.isEmpty, build.allSatisfy({ $0.isLetter || $0.isNumber }) else { continue }
      return "\(platform)\(version) (\(build))"
    }
    return nil
  }
}
