import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Layouts of symbol stores") struct SymbolLayoutTests {
  static let elf = BuildID(hex: "f1c3bcc0279865fe3058404b2831d9e64135386c")
  static let uuid = BuildID(hex: "67e9247c814e392ba027dbde6748fcbf")

  private func paths(_ layout: SymbolLayout, _ id: BuildID?, _ role: SymbolRole, name: String? = "libX.so") throws
    -> [String]
  {
    layout.paths(for: SymbolLayout.Query(try #require(id), role, name: name))
  }

  @Test("an ELF file has the places that each layout gives it")
  func elf() throws {
    let hex = "f1c3bcc0279865fe3058404b2831d9e64135386c"
    let id = Self.elf
    #expect(try paths(.debuginfod, id, .debugInfo) == ["buildid/\(hex)/debuginfo"])
    #expect(try paths(.debuginfod, id, .executable) == ["buildid/\(hex)/executable"])
    #expect(try paths(.debuginfod, id, .breakpad) == [])
    #expect(try paths(.unified, id, .debugInfo) == ["f1/c3bcc0279865fe3058404b2831d9e64135386c/debuginfo"])
    #expect(try paths(.unified, id, .breakpad) == ["f1/c3bcc0279865fe3058404b2831d9e64135386c/breakpad"])
    #expect(try paths(.gdb, id, .debugInfo) == [".build-id/f1/c3bcc0279865fe3058404b2831d9e64135386c.debug"])
    #expect(try paths(.gdb, id, .executable) == [".build-id/f1/c3bcc0279865fe3058404b2831d9e64135386c"])
    #expect(try paths(.native, id, .debugInfo) == ["f1/c3bcc0279865fe3058404b2831d9e64135386c.debug"])
    #expect(try paths(.breakpad, id, .breakpad) == ["libX.so/C0BCC3F19827FE653058404B2831D9E60/libX.so.sym"])
    #expect(try paths(.native, id, .breakpad) == ["libX.so/C0BCC3F19827FE653058404B2831D9E60/libX.so.sym"])
    #expect(try paths(.ssqp, id, .executable) == ["libx.so/elf-buildid-\(hex)/libx.so"])
    #expect(try paths(.ssqp, id, .debugInfo) == ["_.debug/elf-buildid-sym-\(hex)/_.debug"])
    #expect(try paths(.symstore, id, .executable) == ["libX.so/elf-buildid-\(hex)/libX.so"])
    #expect(try paths(.symstoreIndex2, id, .executable) == ["li/libX.so/elf-buildid-\(hex)/libX.so"])
    #expect(try paths(.lldb, id, .debugInfo) == [])
  }

  @Test("a Mach-O file has the places that each layout gives it")
  func machO() throws {
    let id = Self.uuid
    #expect(try paths(.lldb, id, .debugInfo) == ["67E9/247C/814E/392B/A027/DBDE6748FCBF"])
    #expect(try paths(.lldb, id, .executable) == ["67E9/247C/814E/392B/A027/DBDE6748FCBF.app"])
    #expect(try paths(.native, id, .debugInfo).first == "67E9/247C/814E/392B/A027/DBDE6748FCBF")
    #expect(try paths(.unified, id, .debugInfo) == ["67/e9247c814e392ba027dbde6748fcbf/debuginfo"])
    #expect(
      try paths(.ssqp, id, .debugInfo).first == "_.dwarf/mach-uuid-sym-67e9247c814e392ba027dbde6748fcbf/_.dwarf")
    #expect(
      try paths(.breakpad, id, .breakpad, name: "crash").first
        == "crash/67E9247C814E392BA027DBDE6748FCBF0/crash.sym")
  }

  @Test("a name from a report is no way out of the folder", arguments: ["../../etc", "..", "a/b", "", "a\nb"])
  func names(_ name: String) throws {
    for layout in SymbolLayout.allCases {
      for role in [SymbolRole.executable, .breakpad] {
        #expect(try paths(layout, Self.elf, role, name: name).allSatisfy { !$0.contains("..") && !$0.contains("etc") })
      }
    }
  }

  @Test("a server is named by its address, by its layout too, or in Microsoft's way")
  func servers() throws {
    #expect(
      try SymbolServer("https://a.b/c/", layout: .unified) == SymbolServer(url: "https://a.b/c", layout: .unified))
    #expect(try SymbolServer("breakpad+http://a", layout: .unified).layout == .breakpad)
    #expect(
      try SymbolServer("srv*C:\\cache*https://a/b", layout: .unified) == .init(url: "https://a/b", layout: .symstore))
    for text in ["", "a.b", "ftp://a", "http://", "nothing+http://a", "http://a b"] {
      let error = #expect(throws: Diagnostic.self) { try SymbolServer(text, layout: .unified) }
      #expect(error?.id == "symbol-server-malformed")
    }
    #expect(
      SymbolServer.debuginfod("ima:enforcing https://a/  http://b ima:ignore nonsense").map(\.url)
        == ["https://a", "http://b"])
  }

  @Test(
    "a file is found in a folder of any layout, without going through the folder", .fixtures,
    arguments: SymbolLayout.allCases.filter { ![.debuginfod, .lldb].contains($0) })
  func folders(_ layout: SymbolLayout) throws {
    let folder = try TemporaryFolder()
    let isText = layout == .breakpad
    let source = isText ? "crash/elf/dump_syms/basic.full.sym" : "crash/elf/dump_syms/basic.full"
    let image = try fixtureImage("crash/elf/dump_syms/basic.full")
    let id = try #require(image.buildID)
    let query = SymbolLayout.Query(id, isText ? .breakpad : .debugInfo, name: "basic.full")
    let place = try #require(layout.paths(for: query).first)
    let target = folder.url.appending(path: place)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Fixture.path(source), toPath: target.path)
    let search = DebugFileSearch(paths: [folder.path], roots: [])
    let finding = search.find(path: "/gone/basic.full", buildID: id)
    #expect(finding.debugFile?.path == target.path)
    #expect(finding.status == .complete)
    #expect(finding.lookup()?.frames(at: 0x1160).last?.file?.hasSuffix("basic.cpp") == true)
    // The folder was recognised, so nothing of it was read but this file.
    #expect(search.given.contents.names.isEmpty)
    // The same with the program at hand.
    let other = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Fixture.path("crash/elf/dump_syms/basic.stripped"), toPath: other.path + "/basic.full")
    let again = DebugFileSearch(paths: [folder.path], roots: [])
    let beside = again.find(path: other.path + "/basic.full", buildID: id)
    #expect(beside.executable?.place == .image)
    #expect(beside.debugFile?.path == target.path)
    #expect(again.given.contents.names.isEmpty)
  }

  @Test("a file in the right place but of another build is not taken", .fixtures)
  func otherBuild() throws {
    let folder = try TemporaryFolder()
    let id = try #require(Self.elf)
    let target = folder.url.appending(path: "f1/\(id.hex.dropFirst(2))/debuginfo")
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Fixture.path("crash/elf/dump_syms/basic.full"), toPath: target.path)
    let finding = DebugFileSearch(paths: [folder.path], roots: []).find(path: "/gone/app", buildID: id)
    #expect(finding.debugFile == nil)
    #expect(finding.nearMisses.map(\.path) == [target.path])
  }

  @Test("a folder that is arranged by build is not gone through in vain")
  func arranged() {
    let two = (0..<32).map { ["0", "1"][$0 / 16] + String($0 % 16, radix: 16) }
    #expect(SymbolLayout.arranges(two))
    #expect(SymbolLayout.arranges(two + [".lock"]))
    #expect(!SymbolLayout.arranges(Array(two.prefix(8))))
    #expect(!SymbolLayout.arranges((0..<32).map { "app\($0)" }))
  }

  @Test("a folder that was looked at in vain is told")
  func told() throws {
    let folder = try TemporaryFolder()
    let finding = DebugFileSearch(paths: [folder.path], roots: []).find(path: nil, buildID: Self.elf)
    #expect(finding.searched.first == SearchedPlace(place: .given, path: folder.path, outcome: .absent))
  }

  @Test("a program without symbols of its own gets those of its Breakpad file, wherever it is loaded", .fixtures)
  func joined() throws {
    // Linked to 0x400000: Breakpad counts from there.
    let program = try fixtureImage("crash/elf/symbolic_crash")
    let symbols = try BreakpadImage(Bytes.mapping(Fixture.path("crash/elf/symbolic_crash.sym")))
    let lookup = program.lookup(with: symbols, companions: .none)
    #expect(lookup.frames(at: 0x401558).first == SourceFrame(symbol: "_init", offset: 0))
    #expect(lookup.frames(at: 0x401c74).first == SourceFrame(symbol: "main", offset: 4))
    // The program itself is gone: the symbols count from where it was loaded.
    let text = try Fixture.path("crash/elf/symbolic_crash.sym")
    let finding = DebugFileSearch(paths: [text], roots: []).find(path: "/gone/crash", buildID: program.buildID)
    #expect(finding.executable == nil)
    #expect(finding.lookup()?.frames(at: 0x1c74).first == SourceFrame(symbol: "main", offset: 4))
  }
}
