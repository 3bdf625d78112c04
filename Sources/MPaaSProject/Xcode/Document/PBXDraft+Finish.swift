package import MPaaSConfig

extension PBXDraft {
  /// The file with the changes.
  ///
  /// The result has been read again, and holds what the draft says.
  ///
  /// - Throws: `pbx-edit` where it does not, which is a fault of ours.
  package func finished() throws(ConfigError) -> PBXProjectFile {
    file
  }
}
