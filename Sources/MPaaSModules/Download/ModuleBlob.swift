/// The archive of one version of a module, and the places that have it.
package struct ModuleBlob: Sendable, Hashable {
  /// 64 lower-case hexadecimal digits.
  package var sha256: String
  /// Bytes.
  package var size: UInt64
  /// Addresses of the archive, tried in order: `http:` and `https:` URLs, or paths of files, which come first.
  package var urls: [String]
  /// The name for people: `APLog 3.0.2`.
  package var name: String

  package init(sha256: String, size: UInt64, urls: [String], name: String) {
    self.sha256 = sha256
    self.size = size
    self.urls = urls
    self.name = name
  }
}
