/// The file that holds the debug information of a stripped image, by name and checksum (`.gnu_debuglink`).
package struct DebugLink: Sendable, Equatable {
  /// A file name without folders, as the linker wrote it.
  package let name: String
  /// The CRC-32 of the whole debug file.
  package let checksum: UInt32
}

/// The file that holds what several debug files share (`.gnu_debugaltlink`, made by dwz).
package struct AlternateDebugLink: Sendable, Equatable {
  package let path: String
  package let buildID: BuildID?
}
