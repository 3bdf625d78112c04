package import MPaaSTerminal

/// The version of the kit.
package struct KitVersion: Presentable {
  package let version: String
  package let swift: String
  package let platform: String

  /// Keep in step with CHANGELOG.md; a test compares them.
  package static let current = KitVersion(version: "0.2.0", swift: swiftVersion, platform: platformName)

  package var line: String { "mpaas \(version)" }

  package func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(version, .emphasis))]
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4+"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }

  private static var platformName: String {
    #if os(macOS)
      let system = "macOS"
    #elseif os(Linux)
      let system = "Linux"
    #else
      let system = "other"
    #endif
    #if arch(x86_64)
      return "\(system) x86_64"
    #elseif arch(arm64)
      return "\(system) arm64"
    #else
      return system
    #endif
  }
}
