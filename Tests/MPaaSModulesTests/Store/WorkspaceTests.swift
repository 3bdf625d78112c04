import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSModules

@Suite("The folder in which a module is built") struct WorkspaceTests {
  /// Ways in which another user can change what is built there.
  enum Foreign: CaseIterable {
    case writable, groupWritable, otherOwner
  }

  @Test("is made anew where another user made it or may write into it", arguments: Foreign.allCases)
  func foreign(_ foreign: Foreign) throws {
    if foreign == .otherOwner, geteuid() != 0 { return }
    let folder = try TemporaryFolder()
    let path = folder.path + "/.mpaas-Demo"
    try FileManager.default.createDirectory(atPath: path + "/new", withIntermediateDirectories: true)
    switch foreign {
    case .writable: chmod(path, 0o777)
    case .groupWritable: chmod(path, 0o775)
    case .otherOwner: chown(path, 1, 1)
    }
    let before = try #require(OwnFolder.System.live.entry(path))
    let held = open(path, O_RDONLY | O_DIRECTORY)
    defer { close(held) }
    let workspace = try Workspace.claim(path)
    let entry = try #require(OwnFolder.System.live.entry(workspace.path))
    #expect(entry.owner == geteuid())
    #expect(entry.mode & 0o022 == 0)
    #expect(entry != before)
    // The folder that others know is no longer at that path.
    var known = stat()
    #expect(fstat(held, &known) == 0)
    #expect(FileStatus(path)?.identity.last != UInt64(known.st_ino))
    #expect(try FileSystem.names(in: path).isEmpty)
  }

  @Test("is taken over, empty, where it is a leftover of the same user")
  func leftover() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/.mpaas-Demo"
    try FileManager.default.createDirectory(atPath: path + "/new/deep", withIntermediateDirectories: true)
    let before = FileStatus(path)?.identity
    let workspace = try Workspace.claim(path)
    #expect(FileStatus(workspace.path)?.identity == before)
    #expect(try FileSystem.names(in: path).isEmpty)
  }
}
