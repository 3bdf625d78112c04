import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The search for debug files") struct DebugFileSearchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var alone: DebugFileSearch { DebugFileSearch(roots: []) }

  /// Copies a fixture into the test's folder.
  @discardableResult
  private func copy(_ fixture: String, as name: String) throws -> String {
    let target = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Fixture.data("crash/elf/" + fixture).write(to: target)
    return target.path
  }

  @Test("is content with an image that has its own debug information", .fixtures)
  func own() throws {
    let path = try Fixture.path("crash/elf/matrix/gcc-dwarf5")
    let finding = alone.find(path: path, buildID: nil)
    #expect(finding.status == .complete)
    #expect(finding.debugFile?.path == path)
    #expect(finding.lookup()?.hasDebugInfo == true)
  }

  @Test(
    "follows the debug link beside the image and in .debug", .fixtures,
    arguments: ["split.debug", ".debug/split.debug"])
  func debugLink(_ name: String) throws {
    let path = try copy("matrix/split", as: "split")
    let debug = try copy("matrix/split.debug", as: name)
    let finding = alone.find(path: path, buildID: nil)
    #expect(finding.status == .complete)
    #expect(finding.debugFile.map { FileSystem.resolved($0.path) } == FileSystem.resolved(debug))
    #expect(finding.debugFile?.place == .debugLink)
  }

  @Test("refuses a debug file whose checksum is not the link's, and says both", .fixtures)
  func wrongChecksum() throws {
    let path = try copy("matrix/split", as: "split")
    var changed = try Fixture.data("crash/elf/matrix/split.debug")
    changed.append(0)
    try changed.write(to: folder.url.appending(path: "split.debug"))
    let finding = alone.find(path: path, buildID: nil)
    #expect(finding.status != .complete)
    let miss = try #require(finding.nearMisses.first)
    #expect(miss.path.hasSuffix("split.debug"))
    guard case .wrongChecksum(let expected, let found) = miss.outcome else {
      Issue.record("\(miss.outcome)")
      return
    }
    #expect(expected != found)
  }

  @Test("does not take a debug file of another build, whatever its name", .fixtures)
  func otherBuildByLink() throws {
    let finding = alone.find(path: try Fixture.path("crash/elf/matrix/wrongcrc"), buildID: nil)
    #expect(finding.status != .complete)
    #expect(finding.nearMisses.first?.path.hasSuffix("wrongcrc.debug") == true)
  }

  @Test("finds a debug file by build ID below a debug root", .fixtures)
  func buildIDFolder() throws {
    let path = try copy("matrix/stripped", as: "elsewhere/stripped")
    let id = try #require(try fixtureImage("crash/elf/matrix/split").buildID)
    try copy("matrix/split.debug", as: "root/.build-id/\(id.hex.prefix(2))/\(id.hex.dropFirst(2)).debug")
    let search = DebugFileSearch(roots: [folder.path + "/root"])
    let finding = search.find(path: path, buildID: id)
    #expect(finding.debugFile?.place == .buildIDFolder)
    #expect(finding.status == .complete)
  }

  @Test("finds files by build ID anywhere below a folder that was given", .fixtures)
  func givenFolder() throws {
    try copy("matrix/split.debug", as: "a/b/c/whatever")
    try copy("matrix/clang-dwarf5", as: "a/other")
    let id = try #require(try fixtureImage("crash/elf/matrix/split").buildID)
    let finding = DebugFileSearch(paths: [folder.path], roots: []).find(path: "/gone/split", buildID: id)
    #expect(finding.debugFile?.place == .given)
    #expect(finding.status == .complete)
    #expect(finding.executable == nil)
    #expect(finding.lookup() != nil)
  }

  @Test("names a file of the right name and another build as a near miss", .fixtures)
  func nearMiss() throws {
    let path = try copy("matrix/gcc-dwarf5", as: "app")
    let other = try #require(BuildID(hex: "00112233445566778899aabbccddeeff00112233"))
    let finding = alone.find(path: path, buildID: other)
    #expect(finding.status == .missing)
    let theirs = try fixtureImage("crash/elf/matrix/gcc-dwarf5").buildID
    #expect(finding.nearMisses == [SearchedPlace(place: .image, path: path, outcome: .otherBuild(theirs))])
    let given = DebugFileSearch(paths: [folder.path], roots: []).find(path: "/usr/bin/app", buildID: other)
    #expect(given.nearMisses == [SearchedPlace(place: .given, path: path, outcome: .otherBuild(theirs))])
  }

  @Test("finds what dwz moved out, by the alternate link", .fixtures)
  func alternate() throws {
    let image = try fixtureImage("crash/elf/samply_ls/ls")
    let paths = [try Fixture.path("crash/elf/samply_ls")]
    let finding = DebugFileSearch(paths: paths, roots: []).find(path: "/usr/bin/ls", buildID: image.buildID)
    #expect(finding.status == .complete)
    #expect(finding.alternate?.path.hasSuffix("coreutils.debug") == true)
    #expect(finding.executable?.path.hasSuffix("/ls") == true)
  }

  @Test("finds files in debuginfod's cache", .fixtures)
  func debuginfod() throws {
    let id = try #require(try fixtureImage("crash/elf/matrix/split").buildID)
    try copy("matrix/split.debug", as: "cache/\(id.hex)/debuginfo")
    try copy("matrix/split", as: "cache/\(id.hex)/executable")
    let search = DebugFileSearch(roots: [], debuginfodCache: folder.path + "/cache")
    let finding = search.find(path: nil, buildID: id)
    #expect(finding.debugFile?.place == .debuginfod)
    #expect(finding.executable?.place == .debuginfod)
  }

  @Test("looks into the store", .fixtures)
  func store() throws {
    let store = SymbolStore(folder.path + "/store")
    _ = try store.add(Fixture.path("crash/elf/matrix/split.debug"))
    let id = try #require(try fixtureImage("crash/elf/matrix/split").buildID)
    let finding = DebugFileSearch(store: store, roots: []).find(path: "/gone", buildID: id)
    #expect(finding.debugFile?.place == .store)
    #expect(finding.status == .complete)
  }

  @Test("lists every place it looked at when there is nothing")
  func nothing() throws {
    let id = try #require(BuildID(hex: "00112233445566778899aabbccddeeff00112233"))
    let search = DebugFileSearch(
      store: SymbolStore(folder.path + "/store"), roots: ["/nowhere"], debuginfodCache: "/nowhere/cache")
    let finding = search.find(path: "/nowhere/app", buildID: id)
    #expect(finding.status == .missing)
    #expect(finding.lookup() == nil)
    #expect(Set(finding.searched.map(\.place)) == [.image, .store, .buildIDFolder, .debuginfod])
    #expect(finding.searched.allSatisfy { $0.outcome == .absent })
  }

  @Test("takes a given file of the same name where no build has an ID", .tool("objcopy"), .fixtures)
  func withoutBuildID() throws {
    let path = try copy("matrix/symtab-only", as: "bin/app")
    try copy("matrix/gcc-dwarf5", as: "given/app.debug")
    for file in ["bin/app", "given/app.debug"] {
      let target = folder.path + "/" + file
      #expect(try Command.run("objcopy", ["--remove-section", ".note.gnu.build-id", target]).status == 0)
    }
    let finding = DebugFileSearch(paths: [folder.path + "/given"], roots: []).find(path: path, buildID: nil)
    #expect(finding.status == .complete)
    #expect(finding.executable?.path == path)
    #expect(finding.debugFile?.path.hasSuffix("given/app.debug") == true)
  }

  @Test("goes through folders that link to themselves", .fixtures)
  func loop() throws {
    try copy("matrix/split.debug", as: "a/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/again", withDestinationPath: folder.path)
    let id = try #require(try fixtureImage("crash/elf/matrix/split").buildID)
    #expect(GivenPaths([folder.path]).contents.builds[id]?.count == 1)
  }
}
