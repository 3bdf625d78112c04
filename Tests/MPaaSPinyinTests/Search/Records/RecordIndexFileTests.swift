import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Files beside a search") struct RecordIndexFileTests {
  @Test("an index is written, and opened again")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = RecordIndexFile(folder.path + "/names.mpidx")
    #expect(file.size == 0)
    try file.write(RecordIndex(PinyinIndex(["张三", "李四"])))
    #expect(try file.open().count == 2)
    #expect(file.size > 0)
  }

  @Test("only an index is replaced, by its first bytes; a new file is none to keep")
  func replaceable() throws {
    let folder = try TemporaryFolder()
    let file = RecordIndexFile(folder.path + "/file")
    try file.checkReplaceable()
    try Data("MPXI of another version".utf8).write(to: folder.url.appending(path: "file"))
    try file.checkReplaceable()
    try Data("notes".utf8).write(to: folder.url.appending(path: "file"))
    #expect(throws: PinyinError(.indexExists, ["path": file.path], at: .file(file.path))) {
      try file.checkReplaceable()
    }
  }

  @Test("a file that is no index is refused with its path")
  func refused() throws {
    let folder = try TemporaryFolder()
    let file = RecordIndexFile(folder.path + "/file")
    try Data("notes".utf8).write(to: folder.url.appending(path: "file"))
    #expect(throws: PinyinError(.notIndex, ["file": file.path], at: .file(file.path))) { try file.open() }
  }

  @Test("a table of readings is refused with its file and its line, or the offset of what is no UTF-8")
  func readings() {
    func error(_ bytes: [UInt8], isLossy: Bool = false) -> PinyinError? {
      do {
        _ = try SearchReadings(file: Bytes(bytes), isLossy: isLossy, named: "table")
        return nil
      } catch {
        return error
      }
    }
    #expect(error(Array("24352\tzhang\n".utf8)) == nil)
    let line = error(Array("24352\tzhang\nx\n".utf8))
    #expect(line?.code == .readingsLine)
    #expect(line?.values["file"] == "table")
    #expect(line?.diagnostic.place == .text(file: "table", line: 2, column: nil))
    #expect(error([0x31, 0xFF])?.diagnostic.place == .bytes(file: "table", offset: 1))
    #expect(error([0x31, 0xFF], isLossy: true)?.code == .readingsLine)
  }
}
