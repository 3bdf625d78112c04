import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a project gets the files of a module.
package enum PlaceMethod: String, Sendable, Codable, CaseIterable {
  /// Cheap read-only files: clones where the file system has them, else hard links, else copies.
  case link
  /// Writable files of its own.
  case copy
  /// A symbolic link to a tree in the store.
  case shared
}

/// A module as it stands in a project: what its marker says, and whether the files are still those.
///
/// The marker is the file `.mpaas-module.json` in the folder: first what module it is and a fingerprint of all names,
/// sizes and times, so that a look at 90 modules reads no more; then each file, so that changes can be named.
package struct PlacedFolder: Sendable, Equatable {
  package static let markerName = ".mpaas-module.json"

  package let name: String
  package let version: ModuleVersion
  /// Of the module's archive.
  package let sha256: String
  package let method: PlaceMethod
  let fingerprint: String

  /// A regular file as it was when it was placed.
  struct File {
    let path: String
    let size: UInt64
    /// Nanoseconds since 1970.
    let modified: Int64
    let sha256: String
  }

  private static let start = Array(#"{"module":"#.utf8)
  private static let headSize = 1024

  init(_ module: StoredModule, _ method: PlaceMethod, fingerprint: Fingerprint) {
    name = module.name
    version = module.version
    sha256 = module.sha256
    self.method = method
    self.fingerprint = fingerprint.text
  }

  /// What the marker in a folder says; nil where there is none.
  package init?(at folder: String) {
    guard let bytes = try? Bytes.reading(folder + "/" + Self.markerName, limit: Self.headSize),
      bytes.buffer.starts(with: Self.start)
    else { return nil }
    var end = 0
    let rest = UnsafeRawBufferPointer(rebasing: bytes.buffer[Self.start.count...])
    guard let head = try? JSONValue(readingFirstOf: rest, end: &end).object,
      let name = head["name"]?.string, let version = head["version"]?.string.flatMap(ModuleVersion.init),
      let sha256 = head["sha256"]?.string, ModuleStore.isDigest(sha256),
      let method = head["method"]?.string.flatMap(PlaceMethod.init), let fingerprint = head["fingerprint"]?.string
    else { return nil }
    self.name = name
    self.version = version
    self.sha256 = sha256
    self.method = method
    self.fingerprint = fingerprint
    withExtendedLifetime(bytes) {}
  }

  /// The marker's text.
  func encoded(_ files: [File]) -> [UInt8] {
    var text = Self.start
    let head: JSONValue = [
      "fingerprint": .string(fingerprint), "method": .string(method.rawValue), "name": .string(name),
      "sha256": .string(sha256), "version": .string(version.text),
    ]
    head.append(to: &text)
    text += #","files":"#.utf8
    let rows = files.map { file -> JSONValue in
      [.string(file.path), .unsigned(file.size), JSONValue(file.modified), .string(file.sha256)]
    }
    JSONValue.array(rows).append(to: &text)
    return text + "}\n".utf8
  }

  /// Whether names, sizes and times are those that were placed; content is not read.
  package func isUntouched(at folder: String) -> Bool {
    Fingerprint(of: folder)?.text == fingerprint
  }

  /// The paths that were changed, removed or added since, sorted; files that were only touched are read and compared.
  package func changes(at folder: String) -> [String] {
    guard let bytes = try? Bytes.mapping(folder + "/" + Self.markerName),
      let rows = (try? JSONValue(reading: bytes.buffer))?.object?["files"]?.array
    else { return [Self.markerName] }
    var missing: [String: (size: UInt64, modified: Int64, sha256: String)] = [:]
    for row in rows.compactMap(\.array) where row.count == 4 {
      guard let path = row[0].string, let size = row[1].integer(UInt64.self),
        let modified = row[2].integer(Int64.self), let sha256 = row[3].string
      else { return [Self.markerName] }
      missing[path] = (size, modified, sha256)
    }
    var changed: [String] = []
    let isWhole = FolderTree.visit(folder) { path, status in
      let kind = status.st_mode & S_IFMT
      let path = String(decoding: path, as: UTF8.self)
      // What systems leave in folders that people look at is nobody's change.
      guard kind != S_IFDIR, path != Self.markerName, FileSystem.name(of: path) != ".DS_Store" else { return true }
      guard let known = missing.removeValue(forKey: path) else {
        changed.append(path)
        return true
      }
      let isLink = kind == S_IFLNK
      if isLink != known.sha256.hasPrefix("->") || !isLink && UInt64(status.st_size) != known.size {
        changed.append(path)
      } else if isLink || status.modified != known.modified,
        known.sha256 != Self.content(of: folder + "/" + path, isLink)
      {
        changed.append(path)
      }
      return true
    }
    return isWhole ? (changed + missing.keys).sorted() : [FileSystem.name(of: folder)]
  }

  /// The digest of a file, or `->` and where a link leads.
  private static func content(of path: String, _ isLink: Bool) -> String? {
    isLink ? FolderTree.target(of: path).map { "->" + $0 } : (try? Bytes.mapping(path)).map(ModuleStore.digest(of:))
  }
}

extension stat {
  /// Nanoseconds since 1970.
  var modified: Int64 {
    #if canImport(Darwin)
      Int64(st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(st_mtimespec.tv_nsec)
    #else
      Int64(st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(st_mtim.tv_nsec)
    #endif
  }
}

/// A number for the names, sizes and times of all that is in a folder, whatever the order in which they are seen.
///
/// It tells changes that happen, not such as somebody makes on purpose.
struct Fingerprint: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var count: UInt64 = 0

  init() {}

  /// Of what stands in a folder; nil where it cannot be read.
  init?(of folder: String) {
    var sum = Fingerprint()
    let isWhole = FolderTree.visit(folder) { path, status in
      sum.add(path, status)
      return true
    }
    guard isWhole else { return nil }
    self = sum
  }

  mutating func add(_ path: UnsafeBufferPointer<UInt8>, _ status: stat) {
    // The marker holds the sum, and what a file manager leaves is no change.
    if path.elementsEqual(PlacedFolder.markerName.utf8) || path.suffix(9).elementsEqual(".DS_Store".utf8) { return }
    let kind = status.st_mode & S_IFMT
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in path { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    mix(&hash, UInt64(kind))
    // A folder's own time changes with the marker.
    if kind != S_IFDIR {
      mix(&hash, UInt64(bitPattern: Int64(status.st_size)))
      mix(&hash, UInt64(bitPattern: status.modified))
    }
    low &+= hash
    var other = hash ^ 0x9e37_79b9_7f4a_7c15
    mix(&other, hash)
    high &+= other
    count &+= 1
  }

  private func mix(_ hash: inout UInt64, _ value: UInt64) {
    hash ^= value &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
  }

  var text: String { "\(String(count, radix: 16))-\(String(low, radix: 16))-\(String(high, radix: 16))" }
}
