import MPaaSSupport

/// The paths that an archive has had so far, and what each is.
struct ArchiveTree {
  private enum Node {
    case file
    case link(target: String)
    /// Tells whether it had an entry of its own, besides those in it.
    case folder(isEntry: Bool)
  }

  let name: String
  let limits: ModuleArchiveLimits
  // By their bytes: to a string's equality, two compositions of a letter are one.
  private var nodes: [[UInt8]: Node] = [:]
  private var folded: [FoldedPath: [UInt8]] = [:]
  private var links: [(path: ArchivePath, target: String)] = []
  private var files = 0

  init(name: String, limits: ModuleArchiveLimits) {
    self.name = name
    self.limits = limits
  }

  var isEmpty: Bool { nodes.isEmpty }

  mutating func insert(_ path: ArchivePath, _ kind: ModuleArchiveEntry.Kind) throws(ModuleError) {
    func refused(_ code: ModuleError.Code) -> ModuleError { ArchivePath.error(code, path.text, in: name) }
    guard !path.parts.isEmpty else { throw refused(.archivePathOutside) }
    for count in 1..<path.parts.count {
      let above = path.parts[..<count].joined(separator: "/")
      switch nodes[Array(above.utf8)] {
      case nil: try add(above, .folder(isEntry: false))
      case .folder: break
      case .file: throw refused(.archiveFileAndFolder)
      case .link: throw refused(.archiveThroughLink)
      }
    }
    switch (nodes[Array(path.text.utf8)], kind) {
    case (nil, .file): files += 1
    case (nil, .link(let target)): links.append((path, target))
    case (nil, .folder), (.folder(isEntry: false), .folder): break
    case (.folder, .folder), (.file, .file), (.link, .link): throw refused(.archiveEntryTwice)
    default: throw refused(.archiveFileAndFolder)
    }
    guard files <= limits.files, links.count <= limits.links else { throw tooMany() }
    switch kind {
    case .file: try add(path.text, .file)
    case .link(let target): try add(path.text, .link(target: target))
    case .folder: try add(path.text, .folder(isEntry: true))
    }
  }

  private mutating func add(_ path: String, _ node: Node) throws(ModuleError) {
    let bytes = Array(path.utf8)
    let known = folded.updateValue(bytes, forKey: FoldedPath(path[...]))
    if let known, known != bytes {
      let other = String(decoding: known, as: UTF8.self)
      throw ArchivePath.error(.archiveNameClash, path, in: name, other)
    }
    nodes[bytes] = node
    guard nodes.count <= limits.entries else { throw tooMany() }
  }

  private func tooMany() -> ModuleError {
    ArchivePath.error(.archiveTooManyEntries, "", in: name, String(min(limits.files, limits.entries)))
  }

  /// Follows every link, through others where it leads through them, to where it ends.
  ///
  /// - Throws: `ModuleError` where one leaves the archive, ends nowhere, or goes in a circle.
  func checkLinks() throws(ModuleError) {
    for link in links {
      var place = Array(link.path.parts.dropLast())
      var rest = Array(link.target.split(separator: "/").reversed())
      var hops = 0
      while let part = rest.popLast() {
        func refused(_ code: ModuleError.Code) -> ModuleError {
          ArchivePath.error(code, link.path.text, in: name, link.target)
        }
        if part == "." { continue }
        if part == ".." {
          guard place.popLast() != nil else { throw refused(.archiveLinkOutside) }
          continue
        }
        place.append(part)
        switch nodes[Array(place.joined(separator: "/").utf8)] {
        case nil: throw refused(.archiveLinkBroken)
        case .folder: break
        case .file: guard rest.isEmpty else { throw refused(.archiveLinkBroken) }
        case .link(let next):
          hops += 1
          guard hops <= 16 else { throw refused(.archiveLinkBroken) }
          place.removeLast()
          rest += next.split(separator: "/").reversed()
        }
      }
    }
  }
}
