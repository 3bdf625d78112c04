import Foundation
import MPaaSProject
import MPaaSTestSupport

/// The Xcode projects among the fixtures.
enum XcodeFixtures {
  /// All of them: real ones, derived ones, and both sides of the pairs.
  static func files() throws -> [String] {
    let folders = ["project/pbxproj", "project/pbxproj_derived", "project/edit_pairs"]
    return try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Fixture.path(folder)).map { "\(folder)/\($0)" }
    }.filter { $0.hasSuffix(".pbxproj") }.sorted()
  }

  static func read(_ name: String) throws -> PBXProjectFile {
    try PBXProjectFile([UInt8](Fixture.data(name)), file: name)
  }
}
