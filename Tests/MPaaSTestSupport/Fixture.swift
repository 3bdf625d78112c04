public import Foundation
public import Testing

/// Real data of other projects, read in place from `MPAAS_FIXTURES` or `../shared/fixtures`.
public enum Fixture {
  /// The Python that has the packages of peers: tuf, securesystemslib, pyrage, cryptography.
  public static var python: String { package.appending(path: ".build/peers/bin/python").path }

  /// The folder of the package.
  public static let package: URL = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The fixtures' folder; nil where this machine has none.
  public static let root: URL? = {
    let path =
      ProcessInfo.processInfo.environment["MPAAS_FIXTURES"]
      ?? package.appending(path: "../shared/fixtures").standardizedFileURL.path
    return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
  }()

  /// The path of a fixture, such as `crash/elf/matrix/gcc-dwarf5`.
  public static func path(_ name: String) throws -> String {
    try #require(root, "no fixtures: set MPAAS_FIXTURES").appending(path: name).path
  }

  /// The content of a fixture's file.
  public static func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path(name)))
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the fixtures are, and says so where they are not.
  public static var fixtures: Self {
    .enabled(if: Fixture.root != nil, "the fixtures are absent: set MPAAS_FIXTURES to their folder")
  }

  /// Runs the test only where a program is installed, and says so where it is not.
  public static func tool(_ name: String) -> Self {
    .enabled(if: Command.find(name) != nil, "\(name) is not installed: run scripts/bootstrap --peers")
  }

  /// Skips the test where the Python packages of peers are not installed.
  public static var pythonPeers: Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: Fixture.python),
      "the Python packages are not installed: run scripts/bootstrap --peers")
  }
}
