/// All that a scan found: images with their facts, what bundles and manifests say, and the findings about them.
package struct ScanReport: Sendable {
  /// The images, in the order in which they were met; the slices of a fat file in that of the file.
  package var images: [ScannedImage] = []
  package var findings: [ScanFinding] = []
  package var bundles: [BundleFacts] = []
  package var privacyManifests: [PrivacyManifest] = []
  package var androidManifests: [AndroidManifest] = []
  /// Versions of libraries that an Android app notes in files of its own, by their names.
  package var notedLibraries: [NotedLibrary] = []
  /// The modules of the project that the app is of, where they were given.
  package var modules: [KnownModule] = []
  /// Files and entries of archives that were looked at.
  package var files = 0
  /// SHA-256 of files with images, by their paths, where they were asked for.
  package var digests: [String: String] = [:]
  /// The inputs as they were given.
  package var inputs: [String] = []

  package init() {}

  /// A library that an app names in a file, as AndroidX does in `META-INF`.
  package struct NotedLibrary: Sendable, Hashable {
    package let name: String
    package let version: String
    package let path: String
  }

  /// The path below the input that it is of, by which parts of two versions are the same.
  package func inner(_ path: String) -> String {
    let root = inputs.filter { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }.max {
      $0.utf8.count < $1.utf8.count
    }
    return String(path.dropFirst(root?.count ?? 0).drop { $0 == "/" })
  }

  /// The heaviest finding; nil where there is none.
  package var heaviest: ScanSeverity? { findings.map(\.severity).max() }
}
