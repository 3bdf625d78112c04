import MPaaSSupport

/// A module that is unpacked in the store: what is told of it without reading the list of its files.
package struct StoredModule: Sendable, Hashable {
  /// The digest of its archive: 64 lower-case hexadecimal digits.
  package let sha256: String
  package let name: String
  package let version: ModuleVersion
  /// Bytes of all its files.
  package let size: UInt64
  package let fileCount: Int
  /// Bytes of its archive.
  package let archiveSize: UInt64
}

/// The tree of a module: all paths are relative to its folder, and sorted by their bytes.
package struct StoredContents: Sendable, Equatable {
  package struct File: Sendable, Hashable {
    package let path: String
    package let size: UInt64
    package let sha256: String
    package let isExecutable: Bool

    /// Its path below `files` of the store.
    var place: String { "\(sha256.prefix(2))/\(sha256)\(isExecutable ? ".x" : "")" }
  }

  package struct Link: Sendable, Hashable {
    package let path: String
    package let target: String
  }

  /// The text of `module.toml`.
  package var manifest = ""
  package var files: [File] = []
  package var links: [Link] = []
  /// Those that have an entry of their own; others are there because of what is in them.
  package var folders: [String] = []

  package init() {}

  mutating func sort() {
    func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
    files.sort { precedes($0.path, $1.path) }
    links.sort { precedes($0.path, $1.path) }
    folders.sort(by: precedes)
  }
}

/// The document of a module in `modules/SHA256.json`: the short part stands first, so that a list reads no more.
struct StoredModuleDocument {
  let module: StoredModule
  let contents: StoredContents

  static let headSize = 1024
  private static let start = Array(#"{"module":"#.utf8)

  var encoded: [UInt8] {
    var text = Self.start
    let head: JSONValue = [
      "archive_size": .unsigned(module.archiveSize), "files": JSONValue(module.fileCount), "format": 1,
      "name": .string(module.name), "sha256": .string(module.sha256), "size": .unsigned(module.size),
      "version": .string(module.version.text),
    ]
    head.append(to: &text)
    text += #","contents":"#.utf8
    let files = contents.files.map { file -> JSONValue in
      [.string(file.path), .unsigned(file.size), .string(file.sha256), .bool(file.isExecutable)]
    }
    let body: JSONValue = [
      "files": .array(files), "folders": .array(contents.folders.map(JSONValue.string)),
      "links": .array(contents.links.map { [.string($0.path), .string($0.target)] }),
      "manifest": .string(contents.manifest),
    ]
    body.append(to: &text)
    return text + "}\n".utf8
  }

  /// The short part; nil where the bytes are no such document.
  static func module(in bytes: UnsafeRawBufferPointer) -> StoredModule? {
    guard bytes.starts(with: start) else { return nil }
    var end = 0
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start.count...])
    guard let head = try? JSONValue(readingFirstOf: rest, end: &end).object else { return nil }
    return module(head)
  }

  /// The text of `module.toml`; nil where the bytes are no such document.
  static func manifest(in bytes: UnsafeRawBufferPointer) -> String? {
    var skim = JSONSkim(bytes)
    var manifest: String?
    let isObject = skim.object { member, skim in
      guard skim.isName(member, "contents") else { return skim.skip() }
      return skim.object { member, skim in
        guard skim.isName(member, "manifest") else { return skim.skip() }
        manifest = skim.string()
        return manifest != nil
      }
    }
    return isObject ? manifest : nil
  }

  private static func module(_ head: JSONValue.Object) -> StoredModule? {
    guard head["format"] == 1, let sha256 = head["sha256"]?.string, ModuleStore.isDigest(sha256),
      let name = head["name"]?.string, let version = head["version"]?.string.flatMap(ModuleVersion.init),
      let size = head["size"]?.integer(UInt64.self), let count = head["files"]?.integer(Int.self),
      let archiveSize = head["archive_size"]?.integer(UInt64.self)
    else { return nil }
    return StoredModule(
      sha256: sha256, name: name, version: version, size: size, fileCount: count, archiveSize: archiveSize)
  }

  /// The whole; nil where the bytes are no such document.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let document = try? JSONValue(reading: bytes).object, let head = document["module"]?.object,
      let module = Self.module(head), let body = document["contents"]?.object
    else { return nil }
    var contents = StoredContents()
    for row in body["files"]?.array ?? [] {
      guard let row = row.array, row.count == 4, let path = row[0].string, let size = row[1].integer(UInt64.self),
        let sha256 = row[2].string, ModuleStore.isDigest(sha256), let isExecutable = row[3].bool
      else { return nil }
      contents.files.append(.init(path: path, size: size, sha256: sha256, isExecutable: isExecutable))
    }
    for row in body["links"]?.array ?? [] {
      guard let row = row.array, row.count == 2, let path = row[0].string, let target = row[1].string else {
        return nil
      }
      contents.links.append(.init(path: path, target: target))
    }
    contents.folders = body["folders"]?.array?.compactMap(\.string) ?? []
    contents.manifest = body["manifest"]?.string ?? ""
    guard contents.files.count == module.fileCount else { return nil }
    self.init(module: module, contents: contents)
  }

  init(module: StoredModule, contents: StoredContents) {
    self.module = module
    self.contents = contents
  }
}
