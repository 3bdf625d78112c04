import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Static libraries") struct StaticLibraryTests {
  @Test("of BSD and of System V give their members, long names and odd sizes included", .tool("ar"))
  func kinds() throws {
    let folder = try TemporaryFolder()
    let names = ["a.o", "a name that is longer than sixteen.o"]
    for (index, name) in names.enumerated() {
      try Data(repeating: UInt8(index), count: 3 + index).write(to: folder.url.appending(path: name))
    }
    #expect(try Command.run("ar", ["rc", "x.a"] + names, directory: folder.url).status == 0)
    let system = StaticLibrary(try Bytes.mapping(folder.path + "/x.a"))
    #expect(system.members.map(\.name) == names)
    #expect(system.members.map(\.bytes.count) == [3, 4])
    func header(_ name: String, _ size: Int) -> String {
      name.padding(toLength: 16, withPad: " ", startingAt: 0) + "77          0     0     644     "
        + String(size).padding(toLength: 10, withPad: " ", startingAt: 0) + "`\n"
    }
    let bsd = "!<arch>\n" + header("__.SYMDEF SORTED", 3) + "xyz\n" + header("#1/8", 11) + "long.o\0\0abc\n"
    let library = StaticLibrary(Bytes(Array(bsd.utf8)))
    #expect(library.members.map(\.name) == ["long.o"])
    #expect(library.members.first?.modified == 77)
    #expect(library.members.first?.bytes.array == Array("abc".utf8))
    #expect(StaticLibrary(Bytes(Array("!<arch>\ncut".utf8))).members.isEmpty)
  }

  @Test("give the object files of a real one", .fixtures)
  func fixture() throws {
    let path = try Fixture.path("crash/macho/samply_simple/mac-oso/libfile23.a")
    let members = StaticLibrary(try Bytes.mapping(path)).members
    #expect(members.map(\.name) == ["file2.o", "file3.o"])
    for member in members { #expect(try MachOImage(member.bytes).kind == .object) }
  }
}
