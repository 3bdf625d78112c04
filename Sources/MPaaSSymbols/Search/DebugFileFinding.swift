package import MPaaSSupport

/// A file that a search found, already read.
package struct LocatedImage: Sendable {
  package let path: String
  package let image: any ObjectImage
  package let place: SearchPlace
  /// The path of the symbol map that gave it the names that its build hid.
  var symbolMap: String?

  init(path: String, image: any ObjectImage, place: SearchPlace) {
    self.path = path
    self.image = image
    self.place = place
  }
}

/// The kind of place that a search looks at.
package enum SearchPlace: String, Sendable, Hashable, Codable {
  /// The path that the image was loaded from.
  case image
  /// A path that the user gave, or a file below one.
  case given
  case store
  /// A `.build-id` folder under a debug root.
  case buildIDFolder = "build-id"
  /// A file that `.gnu_debuglink` names.
  case debugLink = "debuglink"
  /// A file that `.gnu_debugaltlink` names.
  case alternateLink = "debugaltlink"
  /// The cache of debuginfod's client.
  case debuginfod
  /// A dSYM bundle beside the image, beside its app or framework, or in its `.xcarchive`.
  case dSYM = "dsym"
  /// A symbol server; the path is a URL.
  case server
}

/// One place that a search looked at, and what was there.
package struct SearchedPlace: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case found
    case absent
    /// A file of that name, but of another build; nil where it has no build ID.
    case otherBuild(BuildID?)
    /// The file that the debug link names has not the checksum that the link wants.
    case wrongChecksum(expected: UInt32, found: UInt32)
    /// The right build, but without debug information.
    case withoutDebugInfo
    /// Not an object file, or not readable.
    case unreadable
    /// The server could not be asked.
    case failed(Diagnostic)
  }

  package let place: SearchPlace
  package let path: String
  package let outcome: Outcome

  /// Tells whether this is nearly what was wanted: the right name, the wrong build.
  package var isNearMiss: Bool {
    switch outcome {
    case .otherBuild, .wrongChecksum: true
    default: false
    }
  }
}

/// The result of a search for an image's debug information.
package struct DebugFileFinding: Sendable {
  /// The file that the process ran; nil where it is not here, or only of another build.
  package var executable: LocatedImage?
  /// The file with DWARF: the executable itself, or another.
  package var debugFile: LocatedImage?
  /// The image of what dwz moved out of the debug file.
  package var alternate: LocatedImage?
  /// The `.dwp` file that joins the program's split DWARF.
  package var package: LocatedImage?
  /// Every place that was looked at, in order.
  package var searched: [SearchedPlace] = []
  /// The folders of split files (`.dwo`), besides where the DWARF says.
  var splitFolders: [String] = []
  /// The object files that the executable was linked from, where it has no other debug information.
  package var objects: DebugObjects?
  /// The paths given, which are scanned for split files only when one is wanted.
  var given: GivenPaths?

  package enum Status: String, Sendable, Codable {
    /// Functions, files and lines can be told.
    case complete
    /// Only functions can be told, from a symbol table.
    case symbolsOnly = "symbols-only"
    case missing
  }

  package var status: Status {
    if debugFile?.image.hasDebugInfo == true || objects?.files.isEmpty == false { return .complete }
    return [debugFile, executable].contains { $0.map { $0.image.symbolCount > 0 } ?? false } ? .symbolsOnly : .missing
  }

  /// Files of the right name and another build, or with a wrong checksum.
  package var nearMisses: [SearchedPlace] { searched.filter(\.isNearMiss) }
}

extension DebugFileFinding {
  /// Look-ups in what was found; nil where nothing was.
  package func lookup() -> (any FrameLookup)? {
    guard let main = executable ?? debugFile else { return nil }
    if let symbols = main.image as? BreakpadImage { return BreakpadLookup(symbols, base: 0) }
    let debug = debugFile.flatMap { $0.image === main.image ? nil : $0.image }
    return main.image.lookup(with: debug, companions: companions)
  }

  /// The files that the DWARF points to.
  package var companions: DebugCompanions {
    DebugCompanions(
      split: { [self] name, directory in split(name, directory) },
      package: { [package] in package.map(\.image.splitSections) },
      alternate: { [alternate] in alternate.map(\.image.dwarfSections) },
      object: objects.map(opener))
  }

  private func opener(_ objects: DebugObjects) -> @Sendable (LinkedObject) -> (any ObjectImage)? {
    { objects.open($0) }
  }

  /// A split file by name: where the DWARF says, then beside the program, then below the paths given.
  private func split(_ name: String, _ directory: String?) -> DWARFSections? {
    let file = FileSystem.name(of: name)
    var candidates = [name.hasPrefix("/") ? name : directory.map { $0 + "/" + name } ?? name]
    for folder in splitFolders {
      if !name.hasPrefix("/") { candidates.append(folder + "/" + name) }
      candidates.append(folder + "/" + file)
    }
    return splitSections(in: candidates) ?? splitSections(in: given?.contents.splits[file] ?? [])
  }

  private func splitSections(in candidates: [String]) -> DWARFSections? {
    for path in candidates where FileStatus(path)?.kind == .file {
      if let image = DebugFileSearch.images(at: path).first, image.hasSplitSections {
        return image.splitSections
      }
    }
    return nil
  }
}
