/// Files of a signed repository that are offered as they are.
package struct RegistryServing: ServedWork {
  package static let name = "registry"

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  package let root: String
  /// The folders in it that are offered; nothing else is.
  package let folders: [String]
  /// Seconds that a file may be cached for, and those that differ, by their names.
  package let cacheTime: Int
  package let cacheTimes: [String: Int]

  package init(listen: String, root: String, folders: [String], cacheTime: Int, cacheTimes: [String: Int]) {
    self.listen = listen
    self.root = root
    self.folders = folders
    self.cacheTime = cacheTime
    self.cacheTimes = cacheTimes
  }
}
