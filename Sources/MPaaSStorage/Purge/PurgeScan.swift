import MPaaSSupport

/// The files of one rule, found without following a link or leaving the volume.
struct PurgeScan {
  struct Found {
    let path: String
    let status: FileStatus
  }

  private(set) var files: [Found] = []
  /// Folders below the rule's own, deepest first.
  private(set) var folders: [String] = []
  /// Tells whether the rule's path is something that must not be touched.
  private(set) var isSkipped = false
  private let root: String
  private let device: UInt64?

  init(_ rule: PurgeRule, root: String) {
    self.root = root
    device = FileStatus(ofLink: root)?.identity.first
    guard let status = status(ofRule: rule.path) else { return }
    if status.kind != .folder {
      if rule.entries == nil { files.append(Found(path: rule.path, status: status)) }
      return
    }
    let globs = rule.entries?.map { Glob($0) }
    walk(rule.path) { name in globs?.contains { $0.matches(name) } ?? true }
    files.sort { ($0.status.modifiedNanoseconds, $0.path) < ($1.status.modifiedNanoseconds, $1.path) }
  }

  var size: UInt64 { files.reduce(0) { $0 + $1.status.size } }

  /// The status of the path; nil where it is missing or leads through a link, or over to another volume.
  private mutating func status(ofRule path: String) -> FileStatus? {
    var place = root
    var last: FileStatus?
    for part in path.split(separator: "/") {
      place += "/" + part
      guard let status = FileStatus(ofLink: place) else { return nil }
      guard status.kind != .other, status.identity.first == device else {
        isSkipped = true
        return nil
      }
      last = status
    }
    return last
  }

  private mutating func walk(_ folder: String, _ isWanted: (String) -> Bool) {
    for name in (try? FileSystem.names(in: root + "/" + folder)) ?? [] where isWanted(name) {
      let path = folder + "/" + name
      guard let status = FileStatus(ofLink: root + "/" + path), status.identity.first == device else { continue }
      guard status.kind == .folder else {
        files.append(Found(path: path, status: status))
        continue
      }
      walk(path) { _ in true }
      folders.append(path)
    }
  }
}
