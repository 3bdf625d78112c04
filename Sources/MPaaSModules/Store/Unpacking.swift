import CFileTree
import MPaaSDigests
import MPaaSSupport
import MPaaSTOML

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An archive on its way into the store: its files lie in a folder of this process, named by numbers, until all are
/// written and checked.
final class Unpacking {
  private let store: ModuleStore
  private let workspace: Workspace
  /// The path of each new file, by its place in the store.
  private var written: [String: String] = [:]

  init(in store: ModuleStore) throws(ModuleError) {
    self.store = store
    workspace = try Workspace.make(in: store.temporary, prefix: "")
  }

  /// Writes all files of an archive beside the store.
  func unpack(
    _ bytes: Bytes, _ release: ModuleRelease, _ progress: (UInt64) -> Void
  ) throws(ModuleError) -> StoredContents {
    var contents = StoredContents()
    let reader = ModuleArchiveReader(limits: ModuleArchiveLimits(of: release.archive))
    try reader.read(bytes, name: release.archive.name) { (entry) throws(ModuleError) in
      switch entry.kind {
      case .folder: contents.folders.append(entry.path)
      case .link(let target): contents.links.append(.init(path: entry.path, target: target))
      case .file(let isExecutable):
        let (file, text) = try write(entry, isExecutable, progress)
        contents.files.append(file)
        if let text { contents.manifest = text }
      }
    }
    contents.sort()
    try Self.check(contents, release)
    return contents
  }

  private static let manifestName = "module.toml"
  private static let manifestLimit = 1 << 20

  /// Writes a file while it is hashed; the text of a manifest is given too.
  private func write(
    _ entry: ModuleArchiveEntry, _ isExecutable: Bool, _ progress: (UInt64) -> Void
  ) throws(ModuleError) -> (StoredContents.File, String?) {
    let path = "\(workspace.path)/\(written.count)"
    let output = try withFileErrors { () throws(FileError) in try OpenFile(path, .emptying(0o600)) }
    var digest = RunningDigest()
    let isManifest = entry.path == Self.manifestName
    var text: [UInt8] = []
    try entry.read { (piece) throws(ModuleError) in
      digest.update(piece)
      try withFileErrors { () throws(FileError) in try output.append(piece) }
      if isManifest, text.count <= Self.manifestLimit { text += piece }
      progress(UInt64(piece.count))
    }
    output.permit(isExecutable ? 0o555 : 0o444)
    let file = StoredContents.File(
      path: entry.path, size: entry.count, sha256: digest.value.hexadecimal,
      isExecutable: isExecutable)
    // The next file with new content takes the same number where this one's is there already.
    if written[file.place] == nil { written[file.place] = path } else { unlink(path) }
    return (file, isManifest ? String(decoding: text, as: UTF8.self) : nil)
  }

  /// The manifest inside has to tell what the registry told.
  private static func check(_ contents: StoredContents, _ release: ModuleRelease) throws(ModuleError) {
    let archive = release.archive.name
    guard contents.files.contains(where: { $0.path == manifestName && $0.size <= manifestLimit }) else {
      throw ModuleError(.archiveNoManifest, ["file": archive], at: .file(archive))
    }
    let values: JSONValue.Object
    do throws(TOMLError) {
      values = try TOMLDocument(contents.manifest, file: archive + "/" + manifestName).values
    } catch {
      throw ModuleError(error)
    }
    let module = values["module"]?.object
    let name = module?["name"]?.string ?? ""
    let version = module?["version"]?.string ?? ""
    guard name == release.manifest.name, ModuleVersion(version) == release.version else {
      throw ModuleError(
        .notAsAnnounced,
        [
          "file": archive, "found": "\(name) \(version)",
          "expected": "\(release.manifest.name) \(release.version.text)",
        ], at: .file(archive))
    }
  }

  /// Gives the files their places in the store, where no module names them yet.
  func keep() throws(ModuleError) {
    for (place, path) in written {
      let target = store.files + "/" + place
      let folder = FileSystem.folder(of: target)
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw ModuleError(FileError.last(.create, folder)) }
      // A file that is there keeps its place, and its other names in projects, unless it is damaged.
      if Self.isSame(path, target) {
        unlink(path)
      } else {
        try withFileErrors { () throws(FileError) in try FileSystem.rename(path, to: target) }
      }
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    guard let status = FileStatus(ofLink: other), status.kind == .file, status.size == FileStatus(one)?.size,
      let left = try? Bytes.mapping(one), let right = try? Bytes.mapping(other), left.count == right.count
    else { return false }
    if let start = left.buffer.baseAddress, let other = right.buffer.baseAddress {
      guard memcmp(start, other, left.count) == 0 else { return false }
    }
    withExtendedLifetime((left, right)) {}
    let mode: mode_t = other.hasSuffix(".x") ? 0o555 : 0o444
    return status.permissions == mode || chmod(other, mode) == 0
  }

  /// Writes the document, with which the module is there, once all that it names will survive a loss of power.
  func publish(_ document: StoredModuleDocument) throws(ModuleError) {
    let path = workspace.path + "/document"
    let target = store.document(document.module.sha256)
    let text = Bytes(document.encoded)
    try withFileErrors { () throws(FileError) in
      let file = try OpenFile(path, .emptying(0o444))
      try file.append(text.buffer)
      try settle(with: file)
      try FileSystem.rename(path, to: target)
    }
  }

  /// Has the files, their names and the document be on the disk.
  ///
  /// A file that a loss of power left broken before this is one that no module names; who adds its content next
  /// compares.
  private func settle(with document: borrowing OpenFile) throws(FileError) {
    // One call for all, where the system has it: each file by itself would cost a write of the journal.
    if mp_files_settle(document.descriptor) == 0 { return }
    for place in written.keys {
      let file = try OpenFile(store.files + "/" + place)
      try file.settle()
    }
    for prefix in Set(written.keys.map { $0.prefix(2) }) { FileSystem.settle("\(store.files)/\(prefix)") }
    FileSystem.settle(store.files)
    try document.settle()
  }
}
