import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of adding a file.
package enum AddedSymbols: Sendable, Equatable {
  /// It is in the store now.
  case added(StoredSymbols)
  /// The store had as much of this build before.
  case known(StoredSymbols)

  /// The file of the store.
  package var stored: StoredSymbols {
    switch self {
    case .added(let stored), .known(let stored): stored
    }
  }

  /// True for one that the store did not have.
  package var isNew: Bool { if case .added = self { true } else { false } }
}

extension SymbolStore {
  /// Adds a file under its build ID; adding it twice changes nothing.
  ///
  /// A `.dwp` file has no build ID: it goes in with the program that it lies beside (`path` + `.dwp`).
  ///
  /// Each image of a fat file goes in under its own UUID, and each object file of an archive that tells something.
  ///
  /// - Throws: `StoreError` where it is no object file, has no build ID, tells nothing, or cannot be copied.
  package func add(_ path: String) throws(StoreError) -> [AddedSymbols] {
    if FileContent.isArchive(path) { return try addMembers(of: path) }
    let images = try Self.images(at: path)
    var results: [AddedSymbols] = []
    for image in images {
      guard let id = image.buildID else {
        if images.count == 1 { throw .noBuildID(path: path) }
        continue
      }
      results.append(try keep(image.bytes, try entry(of: image, id, path)))
      if let package = try? Self.images(at: path + ".dwp").first {
        results.append(
          try keep(package.bytes, description(package, id, .package, package.offeredSections, path + ".dwp")))
      }
    }
    let maps = SymbolMapSearch { try? FileContent.bytes(at: $0) }
    for image in images { try keepSymbolMap(of: image, path, maps) }
    return results
  }

  static func images(at path: String) throws(StoreError) -> [any ObjectImage] {
    do throws(ObjectLookupError) {
      return try ObjectFile.images(at: path)
    } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .object(let error, let path): throw .object(error, path: path)
      case .archive(let error, let path): throw .archive(error, path: path)
      case .noSlice, .unknownBuild, .lostIndex: throw .nothingUseful(path: path)
      }
    }
  }

  func entry(of image: any ObjectImage, _ id: BuildID, _ path: String) throws(StoreError) -> StoredSymbols {
    let sections = image.offeredSections
    guard !sections.isEmpty else { throw .nothingUseful(path: path) }
    let role: SymbolRole =
      image is BreakpadImage ? .breakpad : image.hasDebugInfo || !image.hasCode ? .debugInfo : .executable
    return description(image, id, role, sections, path)
  }

  private func description(
    _ image: any ObjectImage, _ id: BuildID, _ role: SymbolRole, _ sections: [String], _ path: String
  ) -> StoredSymbols {
    StoredSymbols(
      buildID: id, role: role, name: FileSystem.name(of: path), origin: FileSystem.resolved(path) ?? path,
      size: UInt64(image.bytes.count), architecture: image.architecture, sections: sections, added: now())
  }

  /// Copies the bytes in, unless the store has a file that offers as much.
  func keep(_ bytes: Bytes, _ entry: StoredSymbols) throws(StoreError) -> AddedSymbols {
    guard let metadata = try? JSONEncoder.sorted.encode(entry) else { throw .metadata(path: entry.origin) }
    if let known = self.entry(entry.buildID, entry.role), known.offersAll(of: entry) { return .known(known) }
    return try changing { () throws(FileError) in
      if let known = self.entry(entry.buildID, entry.role), known.offersAll(of: entry) { return .known(known) }
      let path = path(of: entry)
      try Directories.create(folder(of: entry.buildID))
      // Without its description the old file does not count while the new one takes its place.
      try FileSystem.remove(path + ".json")
      try bytes.write(to: path)
      try Bytes([UInt8](metadata)).write(to: path + ".json")
      return .added(entry)
    }
  }
}

extension StoredSymbols {
  fileprivate func offersAll(of other: StoredSymbols) -> Bool {
    Set(sections).isSuperset(of: other.sections)
  }
}

extension JSONEncoder {
  /// Keys in alphabetical order, so that the same content gives the same bytes.
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
