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
}
