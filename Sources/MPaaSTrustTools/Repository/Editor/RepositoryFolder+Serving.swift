package import MPaaSTransferTools
import MPaaSTrust

extension RepositoryFolder {
  /// The published part of the repository for a web server: nothing staged, no settings.
  package var served: StaticFiles {
    StaticFiles(root: path, folders: ["metadata", "targets"], cacheTime: Self.cacheTime)
  }

  /// The number of seconds that a published file stays the same: for ever where its name has a version or a digest.
  package static func cacheTime(_ name: String) -> Int {
    name == "metadata/timestamp.json" ? 0 : 365 * 86_400
  }
}
