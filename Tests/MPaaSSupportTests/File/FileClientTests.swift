import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The files of an operation") struct FileClientTests {
  @Test("are those of the system: what is replaced keeps its permissions, what is new has the usual ones")
  func live() throws {
    let folder = try TemporaryFolder()
    let files = FileClient.live
    let path = folder.path + "/deep/file"
    #expect(files.kind(path) == nil)
    try files.makeFolder(folder.path + "/deep")
    #expect(files.kind(folder.path + "/deep") == .folder)
    try files.write([1], to: path)
    #expect(files.kind(path) == .file)
    #expect(try files.read(path) == [1])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try files.replace(path, with: [2])
    #expect(files.permissions(path) == 0o600)
    #expect(try files.read(path) == [2])
    #expect(throws: FileError.self) { try files.read(folder.path + "/none") }
  }

  @Test("can be those of a test")
  func memory() throws {
    let memory = MemoryFiles(["a": "1"], folders: ["b"])
    #expect(memory.client.kind("a") == .file)
    #expect(memory.client.kind("b") == .folder)
    #expect(memory.client.kind("c") == nil)
    #expect(try memory.client.read("a") == Array("1".utf8))
    #expect(throws: FileError.self) { try memory.client.read("c") }
    try memory.client.replace("c", with: Array("2".utf8))
    #expect(memory.texts == ["a": "1", "c": "2"])
  }
}
