package import MPaaSConfig

/// The files that a theme is converted to, and what could not be taken along.
package struct ThemeConversion: Sendable {
  package struct File: Sendable {
    package enum Content: Sendable {
      case text(String)
      /// The bytes of a file of the theme.
      case copy(String)
    }

    /// Relative to where the conversion is written.
    package let path: String
    package let content: Content
  }

  package internal(set) var files: [File] = []
  package internal(set) var findings: [ConfigFinding] = []
}
