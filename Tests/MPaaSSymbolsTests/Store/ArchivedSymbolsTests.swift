import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Archives of debug files") struct ArchivedSymbolsTests {
  @Test(
    "are added as their files are, ELF and Mach-O alike", .fixtures, .tool("zip"), .tool("xz"),
    arguments: [
      ("zip -qr out.zip tree", "out.zip"), ("tar czf out.tar.gz tree", "out.tar.gz"),
      ("tar cJf out.tar.xz tree", "out.tar.xz"), ("cp -r tree App.xcarchive", "App.xcarchive"),
      ("zip -qr App.xcarchive.zip tree", "App.xcarchive.zip"),
      ("mkdir folder && zip -qr folder/in.zip tree", "folder"),
    ])
  func added(_ command: String, _ name: String) throws {
    let folder = try TemporaryFolder()
    let tree = folder.url.appending(path: "tree/dSYMs")
    try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    for (fixture, name) in [
      ("crash/elf/matrix/split.debug", "split.debug"), ("crash/macho/symbolic_crash.dSYM", "App.dSYM"),
    ] {
      try FileManager.default.copyItem(atPath: Fixture.path(fixture), toPath: tree.path + "/" + name)
    }
    #expect(try Command.run("sh", ["-c", command], directory: folder.url).status == 0)
    let store = SymbolStore(folder.path + "/store")
    let path = folder.path + "/" + name
    let files = FileStatus(path)?.kind == .folder ? SymbolStore.files(below: path) : [path]
    for file in files { _ = try store.add(file) }
    let elf = try fixtureImage("crash/elf/matrix/split.debug").buildID
    #expect(try store.list().count == 2)
    #expect(try store.list().contains { $0.buildID == elf })
  }
}
