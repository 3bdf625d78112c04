package import MPaaSCrashReport

/// An image of a report whose frames could not all be named, and what to do about it.
package struct MissingSymbols: Sendable, Equatable, Codable {
  package enum Reason: String, Sendable, Codable {
    /// No file with this build ID was found.
    case notFound = "not-found"
    /// The file at the recorded path is another build.
    case otherBuild = "other-build"
    /// The image has no build ID, so that no file can be told to be the right one.
    case noBuildID = "no-build-id"
    /// The right file was found, but it has no debug information, only names at most.
    case noDebugInfo = "no-debug-info"
    /// The right file was found, but cannot be read.
    case unreadable
  }

  /// A file of the same name that is another build.
  package struct NearMiss: Sendable, Equatable, Codable {
    package let path: String
    /// Build ID or UUID, lower-case hexadecimal; empty where the file has none.
    package let uuid: String

    package init(path: String, uuid: String) {
      self.path = path
      self.uuid = uuid
    }
  }

  /// Build ID or UUID of the image, lower-case hexadecimal; empty where it has none.
  package var uuid: String
  /// The image's file name.
  package var name: String
  /// The image's path when the report was made.
  package var path: String
  package var reason: Reason
  /// The places that were searched.
  package var searched: [String]
  package var nearMisses: [NearMiss]
  /// The command that adds the symbols, with `DIR` where only the user knows the folder.
  package var command: String
  /// The number of frames of the report in the image.
  package var frames: Int

  private enum CodingKeys: String, CodingKey {
    case uuid, name, path, reason, searched, command, frames
    case nearMisses = "near_misses"
  }
}

/// A report with symbols, and what is missing for the rest.
package struct SymbolicatedReport: Sendable, Equatable {
  package var report: CrashReport
  package var missing: [MissingSymbols]

  package init(report: CrashReport, missing: [MissingSymbols]) {
    self.report = report
    self.missing = missing
  }
}
