import MPaaSSupport

/// What one ELF file offers for symbolication.
package struct ImageDescription: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case executable
    case sharedLibrary = "shared-library"
    case object
    case core
    /// Only debug information: the code was left out.
    case debugInfo = "debug-info"
    case splitDebugInfo = "split-debug-info"
    case other
  }

  /// What look-ups in this file alone can tell.
  package enum Answers: String, Sendable {
    case lines, functions
    /// Only the exported functions.
    case exported
    case nothing
  }

  package let buildID: BuildID?
  package let kind: Kind
  package let architecture: String
  package let bits: Int
  package let isBigEndian: Bool
  /// Bytes.
  package let size: UInt64
  package let sections: [String]
  package let symbols: Int
  package let answers: Answers
  package let debugLink: DebugLink?
  package let alternateDebugLink: AlternateDebugLink?

  package init(_ image: ELFImage) {
    buildID = image.buildID
    architecture = image.header.machine.name
    bits = image.header.addressSize * 8
    isBigEndian = image.header.bigEndian
    size = UInt64(image.bytes.count)
    sections = image.offeredSections
    symbols = image.symbols.count
    debugLink = image.debugLink
    alternateDebugLink = image.alternateDebugLink
    kind = Self.kind(image)
    if image.hasDebugInfo {
      answers = .lines
    } else if symbols == 0 {
      answers = .nothing
    } else {
      answers = sections.contains("symtab") || sections.contains("gnu_debugdata") ? .functions : .exported
    }
  }

  private static func kind(_ image: ELFImage) -> Kind {
    if image.hasSplitSections, !image.hasCode { return .splitDebugInfo }
    switch image.header.type {
    case .relocatable: return .object
    case .core: return .core
    case .other: return .other
    case .executable: return image.hasCode ? .executable : .debugInfo
    case .sharedObject:
      guard image.hasCode else { return .debugInfo }
      return image.section(named: ".interp") != nil ? .executable : .sharedLibrary
    }
  }
}

extension SymbolStore {
  /// The ELF files with a build ID at and below a folder.
  package static func files(below folder: String) -> [String] {
    GivenPaths([folder]).contents.builds.values.flatMap { $0 }.sorted()
  }

  /// What a file offers.
  ///
  /// - Throws: `StoreError` where it cannot be read or is not an ELF file.
  package static func describe(_ path: String) throws(StoreError) -> ImageDescription {
    ImageDescription(try image(at: path))
  }
}
