import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSArchive

@Suite("Archives") struct ArchiveReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes `tree/a.txt`, `tree/deep/b.txt` and an archive of them by a shell command.
  private func archive(_ command: String, _ name: String) throws -> Bytes {
    let tree = folder.url.appending(path: "tree/deep")
    try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    try Data("first".utf8).write(to: folder.url.appending(path: "tree/a.txt"))
    try Data(repeating: 7, count: 100_000).write(to: tree.appending(path: "符号.txt"))
    let outcome = try Command.run("/bin/sh", ["-c", command], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try Bytes.mapping(folder.path + "/" + name)
  }

  private func contents(_ bytes: Bytes, _ name: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    try ArchiveReader().entries(of: bytes, name: name) { (entry) throws(ArchiveError) in
      _ = try entry.head(3)
      found[entry.path] = try entry.body().count
      return true
    }
    return found
  }

  static let commands = [
    ("zip", "zip -qr x.zip tree", "x.zip"), ("zip", "zip -q0r x.zip tree", "x.zip"),
    ("tar", "tar cf x.tar tree", "x.tar"),
    ("gzip", "tar czf x.tgz ./tree", "x.tgz"), ("bzip2", "tar cjf x.tar.bz2 tree", "x.tar.bz2"),
    ("xz", "tar cJf x.tar.xz tree", "x.tar.xz"), ("zstd", "tar cf - tree | zstd -q -o x.tar.zst", "x.tar.zst"),
  ]

  @Test("of each kind give all files with their content", arguments: commands)
  func kinds(_ tool: String, _ command: String, _ name: String) throws {
    guard Command.find(tool) != nil else { return }
    let bytes = try archive(command, name)
    #expect(ArchiveReader.matches(bytes))
    #expect(try contents(bytes, name) == ["tree/a.txt": 5, "tree/deep/符号.txt": 100_000])
    #expect(try ArchiveReader().member("tree/a.txt", of: bytes, name: name).array == Array("first".utf8))
    #expect(throws: ArchiveError(.noMember, "tree/c")) {
      try ArchiveReader().member("tree/c", of: bytes, name: name)
    }
  }

  @Test("inside archives are opened one level deep", .tool("zip"))
  func nested() throws {
    let bytes = try archive("zip -qr in.zip tree && zip -q mid.zip in.zip && tar czf x.tgz in.zip mid.zip", "x.tgz")
    let found = try contents(bytes, "x.tgz")
    #expect(Set(found.keys) == ["in.zip/tree/a.txt", "in.zip/tree/deep/符号.txt", "mid.zip/in.zip"])
  }

  @Test("a single compressed file is one entry with the name it had", .tool("gzip"))
  func single() throws {
    let bytes = try archive("gzip -c tree/a.txt > a.txt.gz", "a.txt.gz")
    #expect(try contents(bytes, "a.txt.gz") == ["a.txt": 5])
  }

  @Test("that unpack to far more than they are stop at the limit", .tool("gzip"))
  func bomb() throws {
    let bytes = try archive("head -c 20000000 /dev/zero | tr '\\0' x | gzip -9 > z.gz", "z.gz")
    var reader = ArchiveReader()
    reader.limits.total = 1_000_000
    #expect(throws: ArchiveError(.tooLarge)) {
      try reader.entries(of: bytes, name: "z.gz") { (entry) throws(ArchiveError) in
        _ = try entry.body()
        return true
      }
    }
    reader = ArchiveReader()
    reader.limits.member = 1_000_000
    #expect(throws: ArchiveError(.tooLarge, "1000000")) { try reader.member("z", of: bytes, name: "z.gz") }
  }

  @Test("that are damaged neither crash nor hang the reader", arguments: commands)
  func damaged(_ tool: String, _ command: String, _ name: String) throws {
    guard Command.find(tool) != nil else { return }
    let original = try archive(command, name).array
    var random = SeededRandom(seed: 11)
    var reader = ArchiveReader()
    reader.limits.total = 4_000_000
    for _ in 0..<max(SeededRandom.rounds(or: 140) / Self.commands.count, 1) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var total = 0
      try? reader.entries(of: Bytes(bytes), name: name) { (entry) throws(ArchiveError) in
        total += try entry.body().count
        return true
      }
      #expect(total <= 4_000_000)
    }
  }
}
