import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas symbols with Mach-O files") struct SymbolsMachOTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private static let uuid = "4c4c447355553144a1dbec9d86a5d441"

  private func fixture(_ name: String) throws -> String { try Fixture.path("crash/macho/" + name) }

  private func shell(_ command: String) throws {
    let outcome = try Command.run("/bin/sh", ["-c", command], directory: home.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Makes `fat`, a file of the fixtures' dSYMs of two processors.
  private func fat() throws -> String {
    let slices: [(UInt32, String)] = [
      (0x0100_0007, "symbolic_crash.dSYM/Contents/Resources/DWARF/crash"),
      (0x0100_000c, "matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64"),
    ]
    var table: [UInt32] = [0xcafe_babe, 2]
    var body = Data()
    for (cpu, name) in slices {
      let content = try Fixture.data("crash/macho/" + name)
      table += [cpu, 0, UInt32(4096 + body.count), UInt32(content.count), 12]
      body += content
    }
    var file = Data(table.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
    file += Data(count: 4096 - file.count)
    let url = home.url.appending(path: "fat")
    try (file + body).write(to: url)
    return url.path
  }

  @Test("info tells every image of a fat file, and that of a dSYM bundle", .fixtures)
  func info() throws {
    let file = try fat()
    let info = try json(mpaas("symbols", "info", file, "--json", home: home).output)
    let images = try #require(info["images"] as? [[String: Any]])
    #expect(images.map { $0["architecture"] as? String } == ["x86_64", "arm64"])
    #expect(images.last?["build_id"] as? String == Self.uuid)
    #expect(info["build_id"] as? String == images.first?["build_id"] as? String)
    let text = try mpaas("symbols", "info", file, home: home).output
    #expect(text.contains("x86_64, 64-bit"))
    #expect(text.contains("arm64, 64-bit"))
    let bundle = try json(mpaas("symbols", "info", fixture("matrix/cxx-arm64.dSYM"), "--json", home: home).output)
    #expect(bundle["kind"] as? String == "debug-info")
    #expect(bundle["answers"] as? String == "lines")
    #expect(bundle["encrypted"] as? Bool == false)
  }

  @Test("a fat file goes into the store image by image", .fixtures)
  func addFat() throws {
    #expect(try mpaas("symbols", "add", fat(), home: home).status == 0)
    let symbols = try json(mpaas("symbols", "list", "--json", home: home).output)["symbols"] as? [[String: Any]]
    #expect(Set(symbols?.compactMap { $0["architecture"] as? String } ?? []) == ["x86_64", "arm64"])
    let found = try mpaas("symbols", "lookup", "--uuid", Self.uuid, "0x100000384", home: home)
    #expect(found.output == "0x100000384  outer(int)  /src/macho/m.cpp:5\n")
  }

  @Test("lookup takes the image of a fat file that --arch names, an arm64 one by itself", .fixtures)
  func arch() throws {
    let file = try fat()
    let chosen = try mpaas("symbols", "lookup", "--object", file, "0x100000384", home: home)
    #expect(chosen.output.contains("outer(int)"))
    let other = try mpaas("symbols", "lookup", "--object", file, "--arch", "x86_64", "0x100000f90", home: home)
    #expect(other.output.contains("minidump_file_writer.cc:160"))
    let none = try mpaas("symbols", "lookup", "--object", file, "--arch", "armv7", "0x1", home: home)
    #expect(none.status == 64)
    #expect(none.errors.contains("it has x86_64, arm64"))
  }

  @Test(
    "what an archive holds is added and found by its UUID", .fixtures,
    arguments: [
      ("cp", "true", "A.xcarchive"), ("zip", "zip -qr A.zip A.xcarchive", "A.zip"),
      ("tar", "tar czf A.tar.gz A.xcarchive", "A.tar.gz"), ("xz", "tar cJf A.tar.xz A.xcarchive", "A.tar.xz"),
    ])
  func archives(_ tool: String, _ command: String, _ name: String) throws {
    guard Command.find(tool) != nil else { return }
    try shell(
      """
      mkdir -p A.xcarchive/dSYMs A.xcarchive/Products && cp -r '\(fixture("matrix/cxx-arm64.dSYM"))' A.xcarchive/dSYMs/ \
      && cp '\(fixture("matrix/cxx-arm64-stripped"))' A.xcarchive/Products/X && \(command)
      """)
    let added = try json(mpaas("symbols", "add", home.path + "/" + name, "--json", home: home).output)
    let rows = try #require(added["added"] as? [[String: Any]])
    #expect(Set(rows.compactMap { $0["name"] as? String }) == ["X", "cxx-arm64"])
    #expect(rows.allSatisfy { ($0["origin"] as? String)?.contains(name + "/") == true })
    let found = try mpaas("symbols", "lookup", "--uuid", Self.uuid, "0x100000384", home: home)
    #expect(found.output == "0x100000384  outer(int)  /src/macho/m.cpp:5\n")
  }

  @Test("an archive that is cut is named, and one without symbols too", .fixtures, .tool("zip"))
  func badArchives() throws {
    try shell(
      "echo hello > a && zip -q empty.zip a && head -c 60 /dev/urandom > r && zip -q c.zip r && head -c 90 c.zip > cut.zip"
    )
    let empty = try mpaas("symbols", "add", home.path + "/empty.zip", "--json", home: home)
    #expect(empty.status == 65)
    #expect((try json(empty.errors)["error"] as? [String: String])?["code"] == "symbols-nothing-useful")
    let cut = try mpaas("symbols", "add", home.path + "/cut.zip", "--json", home: home)
    #expect(cut.status == 65)
    #expect((try json(cut.errors)["error"] as? [String: String])?["code"] == "archive-damaged")
  }

  @Test("lookup finds the dSYM beside the program, and says when object files changed since", .fixtures)
  func beside() throws {
    try shell(
      """
      cp '\(fixture("matrix/cxx-arm64-stripped"))' X && cp -r '\(fixture("matrix/cxx-arm64.dSYM"))' X.dSYM \
      && cp -r '\(fixture("samply_simple/mac-oso"))' oso && chmod -R u+w oso && touch oso/*.o
      """)
    let found = try mpaas("symbols", "lookup", "--object", home.path + "/X", "0x100000384", home: home)
    #expect(found.output == "0x100000384  outer(int)  /src/macho/m.cpp:5\n")
    #expect(found.errors.isEmpty)
    let object = try mpaas("symbols", "lookup", "--object", home.path + "/oso/main", "0x100003ac9", home: home)
    #expect(object.output.contains("file1.cpp:9:52"))
    #expect(object.errors.contains("were changed since"))
  }

  @Test("damaged Mach-O files are named with the offset of what is wrong", .fixtures)
  func damaged() throws {
    try Data([0xcf, 0xfa, 0xed, 0xfe, 1, 2, 3]).write(to: home.url.appending(path: "short"))
    let outcome = try mpaas("symbols", "info", home.path + "/short", "--json", home: home)
    #expect(outcome.status == 65)
    #expect((try json(outcome.errors)["error"] as? [String: String])?["code"] == "macho-truncated")
  }
}
