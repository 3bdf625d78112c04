import Foundation
import MPaaSDigests
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport

/// A store, a project beside it, and archives for both; all go with it.
final class SampleStore: Sendable {
  let home: TemporaryFolder
  let store: ModuleStore
  let project: String

  init() throws {
    home = try TemporaryFolder()
    store = ModuleStore(folder: home.path + "/store")
    project = home.path + "/project"
    try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
  }

  static let entries =
    "f('A/a', 'content'), f('A/bin/run', '#!', mode=0o755), l('A/l', 'a'), d('empty'), f('twice', 'content')"

  /// An archive of a module, and its release.
  func archive(
    _ name: String = "Demo", _ version: String = "1.0", _ entries: String = SampleStore.entries
  ) throws -> (path: String, release: ModuleRelease) {
    let path = "\(home.path)/\(name)-\(version).tar"
    try SampleArchive.make("tar(module('\(name)', '\(version)'), \(entries))", at: path)
    return (path, try release(name, version, path))
  }

  func release(_ name: String, _ version: String, _ path: String, bytes: UInt64 = 1 << 30) throws -> ModuleRelease {
    let content = try Bytes.mapping(path)
    return ModuleRelease(
      manifest: ModuleManifest(name: name, version: ModuleVersion(version) ?? ModuleVersion(numbers: [0])),
      archive: ModuleArchiveFile(
        name: FileSystem.name(of: path), size: UInt64(content.count), sha256: content.sha256.hexadecimal,
        unpackedSize: bytes, fileCount: 1000), released: 0)
  }

  /// Adds a module.
  func add(
    _ name: String = "Demo", _ version: String = "1.0", _ entries: String = SampleStore.entries
  ) throws -> StoredModule {
    let (path, release) = try archive(name, version, entries)
    return try store.add(archive: path, as: release)
  }

  func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: store.folder + "/" + folder)) ?? []).sorted()
  }

  /// The path of a module's file in the store.
  func file(_ path: String, of module: StoredModule) throws -> String {
    let file = try store.contents(of: module).files.first { $0.path == path }
    let sha256 = file?.sha256 ?? ""
    return "\(store.folder)/files/\(sha256.prefix(2))/\(sha256)\(file?.isExecutable == true ? ".x" : "")"
  }

  /// Starts `StoreSubject`.
  func subject(_ words: String...) throws -> Process {
    let process = Process()
    process.executableURL = Command.products.appending(path: "StoreSubject")
    process.arguments = [store.folder, project] + words
    process.standardOutput = Pipe()
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    return process
  }
}

func mode(_ path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}

func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
