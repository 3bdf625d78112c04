import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Tables on their way into another format") struct TableConversionTests {
  private static let files = [
    ConvertedFile(path: "en.lproj/A.strings", bytes: Array("1".utf8)),
    ConvertedFile(path: "de.lproj/A.strings", bytes: Array("2".utf8)),
  ]

  private func write(
    _ converted: [ConvertedFile], to output: String, _ memory: MemoryFiles, replaces: Bool = false
  ) throws -> [String] {
    try TableConversion(to: .strings, languages: [])
      .write(converted, to: output, replaces: replaces, by: memory.client)
  }

  @Test("files go below a folder, which is made, and one alone to the path that is a file's by its ending")
  func paths() throws {
    let memory = MemoryFiles()
    #expect(try write(Self.files, to: "out/", memory) == ["out/en.lproj/A.strings", "out/de.lproj/A.strings"])
    #expect(memory.folders == ["out/en.lproj", "out/de.lproj"])
    #expect(memory.texts["out/de.lproj/A.strings"] == "2")
    let alone = MemoryFiles()
    #expect(try write([Self.files[0]], to: "B.strings", alone) == ["B.strings"])
    #expect(try write([Self.files[0]], to: "out", alone) == ["out/en.lproj/A.strings"])
    #expect(try write(Self.files, to: "B.strings", alone)[0] == "B.strings/en.lproj/A.strings")
  }

  @Test("nothing is written where a file is there with other bytes, unless it is to be replaced")
  func existing() throws {
    let path = "out/de.lproj/A.strings"
    let memory = MemoryFiles([path: "mine"])
    #expect(throws: LanguageError(.exists, ["path": path], at: .file(path))) {
      try write(Self.files, to: "out", memory)
    }
    #expect(memory.texts == [path: "mine"])
    _ = try write(Self.files, to: "out", memory, replaces: true)
    #expect(memory.texts[path] == "2")
    #expect(try write(Self.files, to: "out", memory).count == 2)
  }

  @Test("changed files are written, others are left alone")
  func changes() throws {
    let memory = MemoryFiles()
    let changes = [
      LanguageFileChange(path: "en.lproj/A.strings", old: nil, new: Array("new".utf8)),
      LanguageFileChange(path: "de.lproj/A.strings", old: [1], new: [1]),
    ]
    try changes.write(by: memory.client)
    #expect(memory.texts == ["en.lproj/A.strings": "new"])
    #expect(memory.folders == ["en.lproj"])
  }
}
