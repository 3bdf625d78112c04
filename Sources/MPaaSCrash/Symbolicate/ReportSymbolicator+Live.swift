import MPaaSCrashReport
package import MPaaSSymbols
import Synchronization

extension ReportSymbolicator {
  /// A symbolicator that finds debug files on this machine by the search's rules.
  ///
  /// - Parameter demangler: What is written as a function's name; the linker's name is kept beside it.
  package static func live(_ search: DebugFileSearch, demangler: Demangler = Demangler()) -> ReportSymbolicator {
    let stored = StoredNames(search.store)
    return ReportSymbolicator { image in
      image.isKernelCode ? ImageSymbols.ofKernelCode(image) : stored.completing(search.symbols(of: image), of: image)
    } demangle: {
      demangler.demangle($0)
    }
  }
}

extension CrashReport.Image {
  /// Tells whether this is the code that Linux maps into every process, which is no file.
  var isKernelCode: Bool {
    path.hasPrefix("[vdso") || path.hasPrefix("linux-vdso") || path.hasPrefix("linux-gate")
  }
}

extension DebugFileSearch {
  /// Finds the symbols of a report's image; a file that is another build is never used.
  func symbols(of image: CrashReport.Image) -> ImageSymbols {
    let deleted = " (deleted)"
    let path = image.path.hasSuffix(deleted) ? String(image.path.dropLast(deleted.count)) : image.path
    let buildID = BuildID(hex: image.buildID)
    let finding = find(path: path.hasPrefix("/") ? path : nil, buildID: buildID)
    var symbols = ImageSymbols(frames: nil, searched: finding.searched.map(\.path))
    symbols.nearMisses = finding.nearMisses.map { MissingSymbols.NearMiss(path: $0.path, uuid: $0.buildID?.hex ?? "") }
    // Without a build ID on either side nothing contradicts that the file is the right one.
    if buildID == nil, let found = finding.executable ?? finding.debugFile, found.image.buildID != nil {
      symbols.reason = .noBuildID
      return symbols
    }
    if let lookup = lookup(in: finding) {
      let shift = finding.shift(of: image)
      symbols.frames = { lookup.frames(at: $0 &+ shift) }
    }
    symbols.isSignalFrame = finding.signalFrames(of: image)
    symbols.reason = reason(finding, path, buildID)
    return symbols
  }

  private func reason(
    _ finding: DebugFileFinding, _ path: String, _ buildID: BuildID?
  ) -> MissingSymbols.Reason? {
    if finding.status == .complete { return nil }
    if finding.executable != nil || finding.debugFile != nil { return .noDebugInfo }
    if buildID == nil { return .noBuildID }
    let own = finding.searched.first { $0.place == .image && $0.path == path }
    switch own?.outcome {
    case .otherBuild: return .otherBuild
    case .unreadable: return .unreadable
    default: return .notFound
    }
  }
}

extension DebugFileFinding {
  /// Tells signal trampolines by the tables for unwinding, which have a mark for them; nil where a file is not of ELF.
  fileprivate func signalFrames(of image: CrashReport.Image) -> (@Sendable (UInt64) -> Bool)? {
    guard let file = executable?.image as? ELFImage ?? debugFile?.image as? ELFImage else { return nil }
    let shift = shift(of: image)
    let table = Mutex<CallFrameTable??>(nil)
    return { address in
      let frames = table.withLock { known in
        let frames = known ?? file.callFrames(".eh_frame", .ehFrame)
        known = .some(frames)
        return frames
      }
      return frames?.isSignalFrame(at: address &+ shift) ?? false
    }
  }

  /// The number to add to an address of a report's image, its slide already taken off, to get the address of the file.
  ///
  /// Reports of others tell where an image lay but not how far it was moved: `slide` is `base` then, and the file tells
  /// where its first byte wants to lie.
  fileprivate func shift(of image: CrashReport.Image) -> UInt64 {
    guard let found = executable ?? debugFile,
      found.image.format != .elf || (image.slide == image.base && found.image.hasCode)
    else { return 0 }
    return image.slide &- image.base &+ found.image.loadAddress
  }
}

extension SearchedPlace {
  /// The build that a near miss is.
  fileprivate var buildID: BuildID? {
    if case .otherBuild(let id) = outcome { id } else { nil }
  }
}
