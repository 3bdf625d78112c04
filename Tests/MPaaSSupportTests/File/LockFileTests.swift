import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A locked file") struct LockFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/lock"
  }

  @Test("belongs to one owner at a time, and to the next when that is gone")
  func exclusive() throws {
    var first = LockFile.locking(path)
    #expect(first != nil)
    #expect(try LockFile(path).take() == .busy)
    #expect(LockFile.locking(path) == nil)
    first = nil
    #expect(try LockFile(path).take() == .taken)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("can be shared by readers, whom a writer waits for")
  func shared() throws {
    let one = try LockFile(path), two = try LockFile(path, .reading), writer = try LockFile(path, .writing)
    #expect(one.take(shared: true) == .taken)
    #expect(two.take(shared: true) == .taken)
    #expect(writer.take() == .busy)
    withExtendedLifetime((one, two)) {}
  }

  @Test("is opened as it is told: made or not, as a folder, with or without links")
  func openings() throws {
    #expect(throws: FileError.self) { try LockFile(path, .writing) }
    #expect(throws: FileError.self) { try LockFile(path, .folder) }
    #expect(try LockFile(folder.path, .folder).take() == .taken)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try LockFile(link).take() == .taken)
    #expect(throws: FileError.self) { try LockFile(link, followsLinks: false) }
  }

  @Test("has no name any more when its file was removed, or another has its place")
  func names() throws {
    let file = try LockFile(path)
    #expect(file.hasName)
    try FileManager.default.removeItem(atPath: path)
    #expect(!file.hasName)
    let second = try LockFile(path)
    #expect(!file.hasName)
    #expect(second.hasName)
  }

  @Test("notes a text for people at its start")
  func note() throws {
    let file = try LockFile(path)
    file.note("12345\n")
    file.note("9    \n")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "9    \n")
  }

  @Test("that another has closes nothing of other threads")
  func descriptors() throws {
    let lock = try #require(LockFile.locking(path))
    #expect(OtherDescriptors.lost { _ = LockFile.locking(path, .writing) } == 0)
    #expect(OtherDescriptors.lost { _ = LockFile.locking(path + "/none", .writing) } == 0)
    withExtendedLifetime(lock) {}
  }
}
