import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas symbols with every kind of file") struct SymbolsRolesTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private func list() throws -> [[String: Any]] {
    try #require(json(mpaas("symbols", "list", "--json", home: home).output)["symbols"] as? [[String: Any]])
  }

  private func indexes() -> [String] {
    let files = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix("/index") }
  }

  @Test(
    "a build of which only Breakpad's file, a system file or a dSYM is stored is looked up, listed and removed",
    .fixtures)
  func roles() throws {
    let files: [(file: String, isSystem: Bool, role: String)] = [
      ("macho/symbolic_crash.sym", false, "breakpad"), ("macho/symbolic_crash", true, "system"),
      ("macho/symbolic_crash.dSYM", false, "debuginfo"),
    ]
    for (file, isSystem, role) in files {
      let path = try Fixture.path("crash/" + file)
      let added = try mpaas(["symbols", "add", path, "--json"] + (isSystem ? ["--system"] : []), home: home)
      #expect(added.status == 0, "\(added.errors)")
      let row = try #require(list().first)
      #expect(row["role"] as? String == role)
      let id = try #require(row["build_id"] as? String)
      // Breakpad's addresses count from the image's first byte.
      let address = role == "debuginfo" ? "0x100000f90" : "0xf90"
      let direct = try mpaas("symbols", "lookup", "--uuid", id, "--no-index", address, home: home)
      let found = try mpaas("symbols", "lookup", "--uuid", id, address, home: home)
      #expect(found.status == 0, "\(role): \(found.errors)")
      #expect(found.output == direct.output, "\(role): \(found.errors)")
      #expect(found.output.contains("  "), "\(role): \(found.output)")
      #expect(!found.output.contains("??"), "\(role): \(found.output)")
      #expect(indexes().count == 1, "\(role)")
      let info = try mpaas("symbols", "info", #require(row["path"] as? String), "--json", home: home)
      #expect(info.status == 0, "\(role): \(info.errors)")
      #expect(try mpaas("symbols", "gc", "--json", home: home).status == 0)
      #expect(try list().count == 1)
      #expect(indexes().count == 1)
      #expect(try mpaas("symbols", "remove", id, home: home).status == 0)
      #expect(try list().isEmpty)
      #expect(indexes().isEmpty)
    }
  }
}
