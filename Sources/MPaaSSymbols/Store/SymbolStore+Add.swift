import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What adding a file came to.
package enum AddedSymbols: Sendable, Equatable {
  /// It is in the store now.
  case added(StoredSymbols)
  /// The store had as much of this build before.
  case known(StoredSymbols)
}

extension SymbolStore {
  /// Adds a file under its build ID; adding it twice changes nothing.
  ///
  /// A `.dwp` file has no build ID: it goes in with the program that it lies beside (`path` + `.dwp`).
  ///
  /// - Throws: `StoreError` where it is not an ELF file, has no build ID, tells nothing, or cannot be copied.
  package func add(_ path: String) throws(StoreError) -> [AddedSymbols] {
    let image = try Self.image(at: path)
    guard let id = image.buildID else { throw .noBuildID(path: path) }
    let entry = try entry(of: image, id, path)
    var results = [try keep(image.bytes, entry)]
    if FileStatus(path + ".dwp")?.kind == .file, let package = try? Self.image(at: path + ".dwp") {
      results.append(
        try keep(package.bytes, description(package, id, .package, package.offeredSections, path + ".dwp")))
    }
    return results
  }

  static func image(at path: String) throws(StoreError) -> ELFImage {
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.mapping(path)
    } catch {
      throw .file(error)
    }
    do throws(ELFError) {
      return try ELFImage(bytes)
    } catch {
      throw .elf(error, path: path)
    }
  }

  private func entry(of image: ELFImage, _ id: BuildID, _ path: String) throws(StoreError) -> StoredSymbols {
    let sections = image.offeredSections
    guard !sections.isEmpty else { throw .nothingUseful(path: path) }
    return description(image, id, image.hasDebugInfo || !image.hasCode ? .debugInfo : .executable, sections, path)
  }

  private func description(
    _ image: ELFImage, _ id: BuildID, _ role: SymbolRole, _ sections: [String], _ path: String
  ) -> StoredSymbols {
    StoredSymbols(
      buildID: id, role: role, name: FileSystem.name(of: path), origin: FileSystem.resolved(path) ?? path,
      size: UInt64(image.bytes.count), architecture: image.header.machine.name, sections: sections, added: now())
  }

  /// Copies the bytes in, unless the store has a file that offers as much.
  private func keep(_ bytes: Bytes, _ entry: StoredSymbols) throws(StoreError) -> AddedSymbols {
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

extension ELFImage {
  /// Whether the file has the bytes of its code; a file of debug information only has not.
  package var hasCode: Bool {
    sections.contains { $0.flags.contains(.executable) && $0.type != .noBits && $0.size > 0 }
      || (sections.isEmpty && !segments.isEmpty)
  }

  /// What of use for symbolication it holds, by section names without dots.
  package var offeredSections: [String] {
    let names = [
      "debug_info", "debug_line", "debug_cu_index", "symtab", "dynsym", "gnu_debugdata", "gnu_debugaltlink", "eh_frame",
    ]
    return names.filter { name in
      [".\(name)", ".z\(name)", ".\(name).dwo"].contains { candidate in
        section(named: candidate).map { $0.type != .noBits && $0.size > 0 } ?? false
      }
    }
  }
}
