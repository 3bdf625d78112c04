import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The names of a file") struct FileNameTests {
  @Test("are added unless something has them already")
  func adding() throws {
    let folder = try TemporaryFolder()
    let (one, two) = (folder.path + "/one", folder.path + "/two")
    try Bytes([1]).write(to: one)
    #expect(try FileSystem.addName(two, to: one))
    #expect(FileStatus(one)?.identity == FileStatus(two)?.identity)
    #expect(try !FileSystem.addName(two, to: one))
    do throws(FileError) {
      try FileSystem.addName(folder.path + "/none/two", to: one)
      Issue.record("a name in no folder")
    } catch {
      #expect(error.operation == .create)
      #expect(error.path == folder.path + "/none/two")
    }
  }

  @Test("are told of a link as they stand there, and with all links resolved")
  func links() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.path + "/file", folder.path + "/link")
    try Bytes([1]).write(to: file)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    #expect(try FileSystem.target(ofLink: link) == "file")
    #expect(FileSystem.resolved(link) == FileSystem.resolved(file))
    #expect(throws: FileError.self) { try FileSystem.target(ofLink: file) }
    #expect(throws: FileError.self) { try FileSystem.target(ofLink: link + ".none") }
  }

  @Test("of new folders are others each time, which their owner alone may enter")
  func folders() throws {
    let folder = try TemporaryFolder()
    let one = try FileSystem.makeFolder(unique: folder.path + "/new", called: "new")
    let two = try FileSystem.makeFolder(unique: folder.path + "/new", called: "new")
    #expect(one != two)
    #expect(one.hasPrefix(folder.path + "/new."))
    #expect(FileStatus(one)?.kind == .folder)
    #expect(FileStatus(one)?.permissions == 0o700)
    #expect(throws: FileError.self) { try FileSystem.makeFolder(unique: folder.path + "/none/new", called: "new") }
  }
}
