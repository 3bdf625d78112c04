import MPaaSSupport

/// The contents of an archive, by the bytes of paths.
struct ArchiveListing {
  enum Node: Equatable {
    case file(size: UInt64)
    case folder
    case link(target: String)
  }

  private(set) var nodes: [ExactName: Node] = [:]
  private(set) var unpackedSize: UInt64 = 0
  private(set) var fileCount = 0

  mutating func add(_ path: String, _ node: Node) {
    nodes[ExactName(path)] = node
    if case .file(let size) = node {
      unpackedSize &+= size
      fileCount += 1
    }
    var above = path
    while let slash = above.lastIndex(of: "/") {
      above = String(above[..<slash])
      let name = ExactName(above)
      if nodes[name] == nil { nodes[name] = .folder }
    }
  }

  /// The path without links that `path` leads to; nil where nothing is.
  func resolved(_ path: String) -> String? {
    var done: [Substring] = []
    var rest = Array(path.split(separator: "/").reversed())
    var hops = 0
    while let part = rest.popLast() {
      if part == "." { continue }
      if part == ".." {
        guard done.popLast() != nil else { return nil }
        continue
      }
      done.append(part)
      guard let node = nodes[ExactName(done.joined(separator: "/"))] else { return nil }
      if case .link(let target) = node {
        hops += 1
        guard hops <= 16 else { return nil }
        done.removeLast()
        rest += target.split(separator: "/").reversed()
      }
    }
    return done.joined(separator: "/")
  }

  /// The file or folder at `path`, links followed; nil where nothing does.
  func node(_ path: String) -> Node? { resolved(path).flatMap { nodes[ExactName($0)] } }

  func isFolder(_ path: String) -> Bool { node(path) == .folder }

  func isFile(_ path: String) -> Bool {
    if case .file = node(path) { true } else { false }
  }

  /// The names of files at the top.
  var topFiles: [String] { nodes.keys.sorted().map(\.text).filter { !$0.contains("/") && isFile($0) } }
}
