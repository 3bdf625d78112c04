import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransferTools
import Testing

@testable import MPaaSSymbols

@Suite("The debuginfod service") struct DebuginfodServiceTests {
  let folder: TemporaryFolder
  let service: DebuginfodService
  static let id = "0d6ea12e57206114a6d937f05107b06244168da1"

  init() throws {
    folder = try TemporaryFolder()
    let store = SymbolStore(folder.path + "/store")
    _ = try store.add(Fixture.path("crash/elf/matrix/gcc-dwarf4"))
    _ = try store.add(Fixture.path("crash/elf/dump_syms/basic.full.sym"))
    // A root with a source of the right name, one of another, and a way out.
    let root = folder.url.appending(path: "sources/elf")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Data("the source".utf8).write(to: root.appending(path: "a.cpp"))
    try Data("secret".utf8).write(to: folder.url.appending(path: "sources/secret"))
    try Data("outside".utf8).write(to: folder.url.appending(path: "outside"))
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/a.h", withDestinationPath: folder.path + "/outside")
    service = DebuginfodService(
      store: store, paths: [try Fixture.path("crash/elf/matrix/split.debug")], sourceRoots: [folder.path + "/sources"])
  }

  private func size(_ answer: HTTPAnswer) -> UInt64? {
    guard case .file(_, _, let size) = answer.body, answer.status == 200 else { return nil }
    return size
  }

  @Test("gives debug files and programs of the store and of given paths", .fixtures)
  func files() throws {
    #expect(size(service.answer("/buildid/\(Self.id)/debuginfo")) == 23_280)
    #expect(size(service.answer("/buildid/\(Self.id)/executable")) == 23_280)
    let answer = service.answer("/buildid/\(Self.id)/debuginfo")
    #expect(answer.headers.contains { $0 == ("X-DEBUGINFOD-SIZE", "23280") })
    #expect(size(service.answer("/buildid/66e3a80360e8331595a9cb3e3efa06786f23111f/debuginfo")) != nil)
    #expect(service.answer("/buildid/66e3a80360e8331595a9cb3e3efa06786f23111f/executable").status == 404)
    // Breakpad's text is no debug file for debuggers.
    #expect(service.answer("/buildid/b060ad20c6b47781552708aa192e7739fac7c84a/debuginfo").status == 404)
  }

  @Test("gives the bytes of a section", .fixtures)
  func sections() throws {
    let answer = service.answer("/buildid/\(Self.id)/section/.debug_line")
    guard case .file(let path, let offset, let size) = answer.body else {
      Issue.record("no file: \(answer)")
      return
    }
    let image = try fixtureImage("crash/elf/matrix/gcc-dwarf4")
    let expected = try #require(image.section(named: ".debug_line"))
    #expect(offset == expected.offset)
    #expect(size == expected.size)
    #expect(path.hasSuffix("/debuginfo"))
    #expect(service.answer("/buildid/\(Self.id)/section/.none").status == 404)
  }

  @Test("gives only source files that the build names and that lie below a root", .fixtures)
  func sources() throws {
    #expect(size(service.answer("/buildid/\(Self.id)/source/src/elf/a.cpp")) == 10)
    #expect(size(service.answer("/buildid/\(Self.id)/source/src/elf/../elf/./a.cpp")) == 10)
    for path in [
      "secret", "src/elf/secret", "../secret", "src/elf/../../secret", "etc/passwd", "../../../../etc/passwd",
      // Named by the build, but a link that leads out of the root.
      "src/elf/a.h",
    ] {
      #expect(service.answer("/buildid/\(Self.id)/source/\(path)").status == 404, "\(path)")
    }
  }

  @Test(
    "whatever is asked gets an answer and no file",
    .fixtures,
    arguments: [
      "", "/", "/buildid", "/buildid/", "/buildid/zz/debuginfo", "/buildid/00/debuginfo", "/buildid/../../debuginfo",
      "/buildid/\(id)", "/buildid/\(id)/nothing", "/buildid/\(id)/debuginfo/more", "/buildid/\(id)/section/",
      "/buildid/\(String(repeating: "0", count: 5000))/debuginfo", "/store/lock",
    ])
  func nonsense(_ path: String) {
    #expect(service.answer(path).status == 404)
  }

  @Test("counts its answers", .fixtures)
  func metrics() throws {
    _ = service.answer("/buildid/\(Self.id)/debuginfo")
    _ = service.answer("/buildid/00/debuginfo")
    guard case .bytes(let bytes) = service.answer("/metrics").body else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("http_responses_total{type=\"debuginfo\",code=\"200\"} 1\n"))
    #expect(text.contains("http_responses_total{type=\"debuginfo\",code=\"404\"} 1\n"))
  }
}

@Suite("Symbols of a device's system") struct SystemSymbolsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a library is kept by its symbols, which answer as the whole file does", .fixtures)
  func compact() throws {
    let store = SymbolStore(folder.path + "/store")
    let library = folder.url.appending(path: "iOS DeviceSupport/iPhone15,2 17.4 (21E219)/Symbols/usr/lib/libX.so")
    try FileManager.default.createDirectory(at: library.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Fixture.path("crash/elf/symbolic_crash"), toPath: library.path)
    let image = try fixtureImage("crash/elf/symbolic_crash")
    guard case .added(let stored) = try store.addSystem(library.path).first else {
      Issue.record("nothing was added")
      return
    }
    #expect(stored.role == .system)
    #expect(stored.system == "iOS 17.4 (21E219)")
    #expect(stored.size * 4 < UInt64(image.bytes.count))
    #expect(try store.addSystem(library.path) == [.known(stored)])
    let finding = DebugFileSearch(store: store, roots: []).find(path: "/usr/lib/libX.so", buildID: image.buildID)
    #expect(finding.status == .symbolsOnly)
    let lookup = try #require(finding.lookup())
    let whole = image.lookup()
    for address in stride(from: 0x401558 as UInt64, to: 0x414c00, by: 7) {
      let expected = image.symbolMatch(at: address)
      let found = lookup.frames(at: address - image.loadAddress).first
      if expected?.isInside == true {
        #expect(found?.offset == expected?.offset, "0x\(String(address, radix: 16))")
        #expect(found?.offset == nil || whole.frames(at: address).first != nil)
      } else if expected?.isInside == false, found != nil {
        // Only symbols without a size go on to the next.
        #expect(found?.symbol == expected?.name)
      }
    }
    #expect(try store.remove(stored.buildID).map(\.role) == [.system])
    #expect(try store.list().isEmpty)
  }

  @Test(
    "the version is read from the folders that Xcode names",
    arguments: [
      ("/L/Xcode/iOS DeviceSupport/17.4 (21E219)/Symbols/usr/lib/libSystem.dylib", "iOS 17.4 (21E219)"),
      ("/x/watchOS DeviceSupport/Watch6,1 10.0 (21R356)/Symbols/a", "watchOS 10.0 (21R356)"),
      ("/x/14.0 (23A344) arm64e/a", "14.0 (23A344)"), ("/usr/lib/libc.so.6", nil), ("/a (b)/c", nil),
      ("/1.2 ()/c", nil),
    ])
  func version(_ path: String, _ version: String?) {
    #expect(SystemVersion.name(in: path) == version)
  }
}
