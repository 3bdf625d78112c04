import MPaaSArchive
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Archives that are written") struct ArchiveWriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ format: ArchiveWriter.Format, _ name: String) throws -> Bytes {
    let file = try PartialFile(beside: folder.path + "/" + name)
    let writer = try ArchiveWriter(format, into: file)
    try writer.add("a/符号.txt", .file(isExecutable: false), [Bytes([1, 2]), Bytes([]), Bytes([3])])
    try writer.add("run", .file(isExecutable: true), [Bytes([4])])
    try writer.add("empty", .folder)
    try writer.add("link", .link(target: "run"))
    try writer.finish()
    try file.finish()
    return try Bytes.mapping(file.target)
  }

  @Test("give the members back, each of its kind", arguments: ArchiveWriter.Format.allCases)
  func members(_ format: ArchiveWriter.Format) throws {
    let stream = try ArchiveStream(try write(format, "x"), format == .zip ? .zip : .tar)
    var kinds: [String: ArchiveMember.Kind] = [:]
    var contents: [String: [UInt8]] = [:]
    while let member = try stream.next() {
      let path = try #require(member.path?.text)
      kinds[path] = member.kind
      if member.isFile { contents[path] = Array(try stream.piece()) }
      if member.kind == .link { #expect(member.target?.text == "run") }
    }
    #expect(
      kinds == [
        "a/符号.txt": .file(isExecutable: false), "run": .file(isExecutable: true), "empty/": .folder, "link": .link,
      ])
    #expect(contents == ["a/符号.txt": [1, 2, 3], "run": [4]])
  }

  @Test("are the same bytes for the same members", arguments: ArchiveWriter.Format.allCases)
  func reproducible(_ format: ArchiveWriter.Format) throws {
    let bytes = try write(format, "1")
    #expect(try write(format, "2").array == bytes.array)
    #expect(ArchiveForm(bytes.buffer) == (format == .zip ? .zip : .compressed))
  }
}
