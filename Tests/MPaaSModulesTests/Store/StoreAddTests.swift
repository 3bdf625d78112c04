import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Adding modules to the store", .tool("python3")) struct StoreAddTests {
  let sample: SampleStore

  init() throws {
    sample = try SampleStore()
  }

  private func refusal(_ path: String, _ release: ModuleRelease) -> ModuleError.Code? {
    do throws(ModuleError) {
      try sample.store.add(archive: path, as: release)
      return nil
    } catch {
      return error.code
    }
  }

  /// Nothing may be left of what was refused.
  private func expectEmpty() throws {
    #expect(try sample.store.modules().isEmpty)
    #expect(sample.names("files").isEmpty)
    #expect(sample.names("tmp").isEmpty)
  }

  @Test("keeps each content once, read-only, and tells what is there")
  func adds() throws {
    let module = try sample.add()
    #expect(module.name == "Demo")
    #expect(module.version == ModuleVersion("1.0"))
    #expect(module.fileCount == 4)
    #expect(module.size > 14)
    #expect(try sample.store.modules() == [module])
    #expect(sample.store.contains(sha256: module.sha256))
    let contents = try sample.store.contents(of: module)
    #expect(contents.files.map(\.path) == ["A/a", "A/bin/run", "module.toml", "twice"])
    #expect(contents.links.map(\.path) == ["A/l"])
    #expect(contents.folders == ["empty"])
    #expect(contents.manifest.contains(#"name = "Demo""#))
    #expect(try sample.file("A/a", of: module) == sample.file("twice", of: module))
    #expect(try mode(sample.file("A/a", of: module)) == 0o444)
    #expect(try mode(sample.file("A/bin/run", of: module)) == 0o555)
    #expect(sample.names("tmp").isEmpty)
  }

  @Test("changes nothing the second time")
  func again() throws {
    let (path, release) = try sample.archive()
    let first = try sample.store.add(archive: path, as: release)
    let before = FileStatus(sample.store.folder + "/modules/\(first.sha256).json")
    var isUnpacked = false
    #expect(try sample.store.add(archive: path, as: release, progress: { _ in isUnpacked = true }) == first)
    #expect(!isUnpacked)
    #expect(FileStatus(sample.store.folder + "/modules/\(first.sha256).json") == before)
  }

  @Test("refuses an archive of another size or digest before it is unpacked")
  func digest() throws {
    var (path, release) = try sample.archive()
    release.archive.size += 1
    #expect(refusal(path, release) == .archiveDigest)
    release.archive.size -= 1
    release.archive.sha256 = String(repeating: "0", count: 64)
    #expect(refusal(path, release) == .archiveDigest)
    release.archive.sha256 = "../../x"
    #expect(refusal(path, release) == .archiveDigest)
    try expectEmpty()
  }

  @Test("refuses a module that is not the one that was announced, or does not say what it is")
  func announced() throws {
    var (path, release) = try sample.archive("Demo", "1.0")
    release.manifest.name = "Other"
    #expect(refusal(path, release) == .notAsAnnounced)
    release.manifest = ModuleManifest(name: "Demo", version: ModuleVersion(numbers: [2]))
    #expect(refusal(path, release) == .notAsAnnounced)
    let bare = sample.home.path + "/Bare-1.tar"
    try SampleArchive.make("tar(f('a'))", at: bare)
    #expect(refusal(bare, try sample.release("Bare", "1", bare)) == .archiveNoManifest)
    try expectEmpty()
  }

  @Test("writes no more than the registry says that comes out, and nothing of what is refused late")
  func limits() throws {
    var (path, release) = try sample.archive("Demo", "1.0", "f('a', b'x' * 5000)")
    release.archive.unpackedSize = 4000
    #expect(refusal(path, release) == .archiveTooLarge)
    release.archive.unpackedSize = 6000
    release.archive.fileCount = 1
    #expect(refusal(path, release) == .archiveTooManyEntries)
    let late = try sample.archive("Late", "1.0", "f('a'), f('b'), l('c', '../..')")
    #expect(refusal(late.path, late.release) == .archiveLinkOutside)
    try expectEmpty()
  }

  @Test("lists by name and newest first, and leaves out what is damaged")
  func list() throws {
    _ = try sample.add("B", "1.0")
    _ = try sample.add("A", "1.2")
    let newest = try sample.add("A", "1.10")
    #expect(try sample.store.modules().map { "\($0.name) \($0.version)" } == ["A 1.10", "A 1.2", "B 1.0"])
    let path = sample.store.folder + "/modules/\(newest.sha256).json"
    try FileManager.default.removeItem(atPath: path)
    try Data("{}".utf8).write(to: URL(filePath: path))
    #expect(try sample.store.modules().map { "\($0.name) \($0.version)" } == ["A 1.2", "B 1.0"])
  }

  @Test("is done once by 20 processes at the same time, and all have it")
  func processes() throws {
    let (path, _) = try sample.archive("Demo", "1.0", "f('a', os.urandom(3 << 20)), f('b', os.urandom(1 << 20))")
    let all = try (0..<20).map { _ in try sample.subject("add", path) }
    var unpacked = 0
    for process in all {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
      let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      #expect(words.first == "Demo")
      if words.last == "unpacked" { unpacked += 1 }
    }
    #expect(unpacked == 1)
    #expect(sample.names("tmp").isEmpty)
  }
}
