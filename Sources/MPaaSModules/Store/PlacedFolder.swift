import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The way in which a project gets the files of a module.
package enum PlaceMethod: String, Sendable, Codable, CaseIterable {
  /// Read-only files: clones where the file system has them, else copies.
  case link
  /// Writable files of its own.
  case copy
  /// A symbolic link to a tree in the store.
  case shared
}

/// A module as it stands in a project: what its marker says, and whether the files are still those.
///
/// The marker is the file `.mpaas-module.json` in the folder: first what module it is and a fingerprint of all names,
/// sizes, times, numbers and modes, so that a look at 90 modules reads no more; then each file, so that changes can be
/// named. A file whose status is the one that was recorded is taken for what it was, as a user cannot set the time of
/// its last change (`st_ctime`); any other is read. What was changed just before it was recorded is read too, as a file
/// system's clock goes in steps.
package struct PlacedFolder: Sendable, Equatable {
  package static let markerName = ArchivePath.reservedName

  package let name: String
  package let version: ModuleVersion
  /// The digest of the module's archive.
  package let sha256: String
  package let method: PlaceMethod
  let fingerprint: String
  /// The digest of the names and kinds alone; empty in markers of earlier versions.
  let shape: String
  /// Nanoseconds since 1970 by which all that was recorded had been changed for the last time; 0 where that is not
  /// known.
  let settled: Int64

  /// A file or link as it was when it was placed.
  struct File {
    let path: String
    let status: Identity
    /// The digest of a file, `->` and where a link leads.
    let content: String
  }

  static let start = Array(#"{"module":"#.utf8)
  static let headSize = 1024

  init(_ module: StoredModule, _ method: PlaceMethod, fingerprint: Fingerprint, settled: Int64) {
    name = module.name
    version = module.version
    sha256 = module.sha256
    self.method = method
    self.fingerprint = fingerprint.text
    shape = fingerprint.shape
    self.settled = settled
  }

  /// The same module, recorded anew.
  init(_ placed: PlacedFolder, fingerprint: Fingerprint, settled: Int64) {
    name = placed.name
    version = placed.version
    sha256 = placed.sha256
    method = placed.method
    self.fingerprint = fingerprint.text
    shape = fingerprint.shape
    self.settled = settled
  }

  /// Reads the marker in a folder; nil where there is none.
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
    shape = head["shape"]?.string ?? ""
    settled = head["settled"]?.string.flatMap { Int64($0) } ?? 0
    withExtendedLifetime(bytes) {}
  }

  /// The marker's text.
  func encoded(_ files: [File]) -> [UInt8] {
    var text = Self.start
    let head: JSONValue = [
      "fingerprint": .string(fingerprint), "method": .string(method.rawValue), "name": .string(name),
      "settled": .string(Self.digits(settled)), "sha256": .string(sha256), "shape": .string(shape),
      "version": .string(version.text),
    ]
    head.append(to: &text)
    text += #","files":"#.utf8
    let rows = files.map { file -> JSONValue in
      let status = file.status
      return [
        .string(file.path), .unsigned(status.size), JSONValue(status.modified), .string(file.content),
        .unsigned(status.number), JSONValue(status.changed), JSONValue(status.mode),
      ]
    }
    JSONValue.array(rows).append(to: &text)
    return text + "}\n".utf8
  }

  /// As many digits for each time, so that one can be written in the place of another.
  static func digits(_ time: Int64) -> String { max(time, 0).padded(to: 19) }
}
