import MPaaSSupport

/// The sections that one image offers for symbolication.
package struct ImageDescription: Sendable, Equatable {
  package let buildID: BuildID?
  package let kind: ObjectKind
  package let architecture: String
  package let bits: Int
  package let isBigEndian: Bool
  /// Bytes.
  package let size: UInt64
  package let sections: [String]
  package let symbols: Int
  package let answers: SymbolAnswers
  package let debugLink: DebugLink?
  package let alternateDebugLink: AlternateDebugLink?
  package let isEncrypted: Bool

  package init(_ image: any ObjectImage) {
    buildID = image.buildID
    kind = image.kind
    architecture = image.architecture
    bits = image.addressSize * 8
    isBigEndian = image.isBigEndian
    size = UInt64(image.bytes.count)
    sections = image.offeredSections
    symbols = image.symbolCount
    answers = image.answers
    debugLink = image.debugLink
    alternateDebugLink = image.alternateDebugLink
    isEncrypted = image.isEncrypted
  }
}

extension SymbolStore {
  /// The object files with a build ID at and below a folder, and the archives that hold some.
  package static func files(below folder: String) -> [String] {
    let files = GivenPaths([folder]).contents.builds.values.joined().map { path in
      FileStatus(path) == nil ? FileContent.split(path)?.archive ?? path : path
    }
    return Set(files).sorted()
  }

  /// The description of each image of a file: one, or one for each processor of a fat file.
  ///
  /// - Throws: `StoreError` where it cannot be read or is no object file.
  package static func describe(_ path: String) throws(StoreError) -> [ImageDescription] {
    try images(at: path).map { ImageDescription($0) }
  }
}
