import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The search for a Mach-O image's debug information") struct MachOSearchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let dsym = "matrix/cxx-arm64.dSYM"
  private static let uuid = BuildID(hex: "4c4c447355553144a1dbec9d86a5d441")

  /// Copies a file or a folder of the fixtures into the test's folder.
  @discardableResult
  private func copy(_ fixture: String, as name: String) throws -> String {
    let target = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: URL(filePath: Fixture.path("crash/macho/" + fixture)), to: target)
    return target.path
  }

  private func find(_ path: String?, given: [String] = []) -> DebugFileFinding {
    DebugFileSearch(paths: given, roots: []).find(path: path, buildID: path == nil ? Self.uuid : nil)
  }

  @Test(
    "finds the dSYM beside the image, beside its app, and in its archive, whatever its name is there", .fixtures,
    arguments: [
      ("X", "X.dSYM"), ("X.app/X", "X.app.dSYM"), ("X.framework/Versions/A/X", "X.framework.dSYM"),
      ("A.xcarchive/Products/Applications/X.app/X", "A.xcarchive/dSYMs/other.dSYM"),
    ])
  func beside(_ image: String, _ bundle: String) throws {
    let path = try copy("matrix/cxx-arm64-stripped", as: image)
    let before = find(path)
    #expect(before.status == .symbolsOnly)
    try copy(Self.dsym, as: bundle)
    let finding = find(path)
    #expect(finding.status == .complete)
    #expect(finding.debugFile?.place == .dSYM)
    #expect(finding.lookup()?.frames(at: 0x1_0000_0384).first?.line == 5)
  }

  @Test("never takes a dSYM of another build, and says that it is one", .fixtures)
  func otherBuild() throws {
    let path = try copy("matrix/cxx-arm64-stripped", as: "X")
    try copy("symbolic_crash.dSYM", as: "X.dSYM")
    let finding = find(path)
    #expect(finding.status == .symbolsOnly)
    #expect(finding.nearMisses.map(\.place) == [.dSYM])
    #expect(find("/nowhere/X").status == .missing)
  }

  @Test("finds a build by its UUID in folders given", .fixtures)
  func given() throws {
    try copy(Self.dsym, as: "deep/in/here.dSYM")
    let finding = find(nil, given: [folder.path])
    #expect(finding.status == .complete)
    #expect(finding.executable == nil)
    #expect(finding.lookup()?.frames(at: 0x1_0000_0384).first?.line == 5)
  }

  @Test(
    "finds a build by its UUID in archives given, without unpacking them", .fixtures,
    arguments: [
      ("zip", "zip -qr x.xcarchive.zip X"), ("tar", "tar czf x.tar.gz X"), ("zstd", "tar cf - X | zstd -qo x.tar.zst"),
      ("zip", "zip -qr in.zip X && rm -r X && zip -q0 x.zip in.zip && rm in.zip"),
    ])
  func archives(_ tool: String, _ command: String) throws {
    guard Command.find(tool) != nil else { return }
    try copy(Self.dsym, as: "X/dSYMs/X.dSYM")
    #expect(try Command.run("/bin/sh", ["-c", command], directory: folder.url).status == 0)
    try? FileManager.default.removeItem(at: folder.url.appending(path: "X"))
    let finding = find(nil, given: [folder.path])
    #expect(finding.status == .complete)
    #expect(finding.debugFile?.path.hasSuffix("X/dSYMs/X.dSYM/Contents/Resources/DWARF/cxx-arm64") == true)
    #expect(finding.lookup()?.frames(at: 0x1_0000_0384).first?.line == 5)
    let images = try ObjectFile.images(at: #require(finding.debugFile?.path))
    #expect(images.map(\.buildID) == [Self.uuid])
  }

  @Test("answers from the object files that the image was linked from as from its dSYM", .fixtures)
  func debugMap() throws {
    let path = try Fixture.path("crash/macho/samply_simple/mac-oso/main")
    let finding = DebugFileSearch(roots: []).find(path: path, buildID: nil)
    #expect(finding.status == .complete)
    let objects = try #require(finding.objects)
    #expect(objects.total == 4)
    #expect(objects.missing.isEmpty)
    #expect(objects.files.count == 3)
    // The copies of the fixture have another time than what the linker saw; the members of the library have not.
    #expect(objects.changed.allSatisfy { !$0.contains("(") })
    let lookup = try #require(finding.lookup())
    let dsym = try machO("macho/samply_simple/mac-dsym/main.dSYM/Contents/Resources/DWARF/main")
    let whole = dsym.frameLookup(debug: nil, companions: .none)
    var inlined = 0
    for address in stride(from: UInt64(0x1_0000_363c), to: 0x1_0000_3b98, by: 4) {
      let frames = lookup.frames(at: address)
      #expect(frames == whole.frames(at: address), "at \(String(address, radix: 16))")
      if frames.count > 1 { inlined += 1 }
    }
    #expect(inlined > 30)
  }

  @Test("takes object files from folders given, and names those that are missing", .fixtures)
  func objectsGiven() throws {
    let path = try copy("samply_simple/mac-oso/main", as: "bin/main")
    #expect(find(path).status == .symbolsOnly)
    try copy("samply_simple/mac-oso/libfile23.a", as: "objects/libfile23.a")
    try copy("samply_simple/mac-oso/file1.o", as: "objects/file1.o")
    let finding = find(path, given: [folder.path + "/objects"])
    #expect(finding.status == .complete)
    #expect(finding.objects?.missing.map { FileSystem.name(of: $0) } == ["main.o"])
    let lookup = try #require(finding.lookup())
    #expect(lookup.frames(at: 0x1_0000_3b08).first?.file?.hasSuffix("src/file2.cpp") == true)
    #expect(lookup.frames(at: 0x1_0000_363c).first?.symbol == "main")
    #expect(lookup.frames(at: 0x1_0000_363c).first?.file == nil)
  }
}

@Suite("Names that a build hid") struct SymbolMapTests {
  static let map = "BCSymbolMap Version: 2.0\n-[A secret]\n\\001-[B\\040c]\n$s4main1fyyF\n/Users/me/src/a.m\n"

  private func image() throws -> MachOImage {
    var builder = MachOBuilder()
    builder.sections = [.init(bytes: [UInt8](repeating: 0, count: 0x100))]
    builder.symbols = [
      .init(name: "__hidden#0_", value: 0x1000), .init(name: "___hidden#1_", value: 0x1010),
      .init(name: "__hidden#2_", value: 0x1020), .init(name: "__hidden#9_", value: 0x1030),
    ]
    return try MachOImage(Bytes(builder.build()))
  }

  @Test("come back by the symbol map")
  func revealed() throws {
    let map = try #require(SymbolMap(Bytes(Array(Self.map.utf8))))
    let image = try image()
    #expect(image.hasHiddenNames)
    #expect(image.symbols.match(at: 0x1000)?.name == "__hidden#0_")
    let symbols = image.revealing(map).symbols
    #expect(symbols.match(at: 0x1000)?.name == "-[A secret]")
    #expect(symbols.match(at: 0x1010)?.name == "-[B c]")
    #expect(symbols.match(at: 0x1020)?.name == "$s4main1fyyF")
    #expect(symbols.match(at: 0x1030)?.name == "__hidden#9_")
    #expect(SymbolMap(Bytes(Array("something else".utf8))) == nil)
  }

  @Test("come back in the DWARF too", .fixtures)
  func debugInformation() throws {
    let name = Array("_ZNK3geo3BoxIiE4areaEv".utf8)
    var bytes = [UInt8](try Fixture.data("crash/macho/matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64"))
    var replaced = 0
    for start in 0..<bytes.count - name.count where bytes[start] == name[0] && bytes[start...].starts(with: name) {
      let hidden = Array("__hidden#1_".utf8)
      bytes.replaceSubrange(
        start..<start + name.count, with: hidden + [UInt8](repeating: 0, count: name.count - hidden.count))
      replaced += 1
    }
    #expect(replaced > 0)
    let image = try MachOImage(Bytes(bytes))
    let map = try #require(SymbolMap(Bytes(Array(Self.map.utf8))))
    func symbol(_ image: MachOImage) -> String? {
      AddressLookup(image.dwarfSections, code: image.executableRanges).frames(at: 0x1_0000_0378).last?.symbol
    }
    #expect(symbol(image) == "__hidden#1_")
    #expect(symbol(image.revealing(map)) == "-[B c]")
  }

  @Test("come back when the dSYM's list tells the build that the map is named by, and stay so in the store")
  func found() throws {
    let folder = try TemporaryFolder()
    let resources = folder.url.appending(path: "A.xcarchive/dSYMs/x.dSYM/Contents/Resources")
    let maps = folder.url.appending(path: "A.xcarchive/BCSymbolMaps")
    for url in [resources.appending(path: "DWARF"), maps] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    let image = try image()
    let id = try #require(image.buildID)
    let file = resources.appending(path: "DWARF/x")
    try Data(image.bytes.array).write(to: file)
    let original = "AABBCCDD-0000-1111-2222-334455667788"
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>DBGOriginalUUID</key><string>\(original)</string></dict></plist>
      """
    try Data(list.utf8).write(to: resources.appending(path: "\(id.dashed).plist"))
    try Data(Self.map.utf8).write(to: maps.appending(path: "\(original).bcsymbolmap"))
    let store = SymbolStore(folder.path + "/store")
    let search = DebugFileSearch(store: store, roots: [])
    #expect(search.find(path: file.path, buildID: nil).lookup()?.frames(at: 0x1000).first?.symbol == "-[A secret]")
    _ = try store.add(file.path)
    try FileManager.default.removeItem(at: folder.url.appending(path: "A.xcarchive"))
    #expect(search.find(path: nil, buildID: id).lookup()?.frames(at: 0x1010).first?.symbol == "-[B c]")
    #expect(try store.collect(olderThan: nil).orphans.isEmpty)
  }

  @Test("by damaged maps neither crash nor hang the reader")
  func damaged() {
    var random = SeededRandom(seed: 21)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var bytes = Array(Self.map.utf8)
      for _ in 0..<4 {
        bytes[Int.random(in: 21..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let map = SymbolMap(Bytes(bytes))
      Array("__hidden#\(Int.random(in: 0..<6, using: &random))_".utf8).withUnsafeBytes { _ = map?.symbol($0) }
      _ = DSYMBundle.originalBuild(Bytes(bytes))
    }
  }
}
