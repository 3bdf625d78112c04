/// The names around a project, each folder listed once.
struct DiskListing {
  private let names: @Sendable (String) -> [String]
  /// By folder: the names as they are, by their small letters.
  private var folders: [String: [String: String]] = [:]

  init(_ surroundings: ProjectSurroundings) {
    names = surroundings.names
  }

  /// Tells if a path leads to something; its case does not count, as on the disks of most Macs.
  mutating func has(_ path: String) -> Bool { located(path) != nil }

  private mutating func located(_ path: String) -> String? {
    let name = PathWords.last(path)
    if ["", "/", ".", ".."].contains(name) { return path }
    guard let folder = located(PathWords.folder(path)), let found = listing(folder)[name.lowercased()] else {
      return nil
    }
    return PathWords.joined(folder, found)
  }

  private mutating func listing(_ folder: String) -> [String: String] {
    if let known = folders[folder] { return known }
    let listing = Dictionary(names(folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    folders[folder] = listing
    return listing
  }
}
