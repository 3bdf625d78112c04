import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Modules of a project", .fixtures) struct KnownModuleTests {
  private static let library = "scan/isign-Test.app/Frameworks/libswiftContacts.dylib"

  private func module(of bytes: Bytes) -> KnownModule {
    var module = KnownModule(name: "ContactsKit", version: "4.2", list: "Shop/mpaas.lock")
    module.add(bytes)
    module.add(Bytes(Array("[module]\nname = \"ContactsKit\"\n".utf8)))
    return module
  }

  @Test("name parts that are their code, and are listed by the lock alone where none was seen")
  func parts() throws {
    var scan = Scan()
    let other = KnownModule(name: "Other", version: "1.0", list: "Shop/mpaas.lock")
    scan.modules = [other, module(of: try Bytes.mapping(Fixture.path(Self.library)))]
    scan.hashesFiles = true
    let report = try scan.report(of: [Fixture.path("scan/isign-Test.app")])
    let part = try #require(report.components.first { $0.name == "ContactsKit" })
    #expect(part.version == "4.2" && part.source == "module" && part.path.hasSuffix("libswiftContacts.dylib"))
    #expect(!report.components.contains { $0.name == "libswiftContacts.dylib" })
    #expect(report.components.last?.name == "Other" && report.components.last?.source == "mpaas.lock")
    let bill = BillOfMaterials(report, ScanTool(version: "0", time: 0)).document(.cyclonedx)
    let listed = bill.object?["components"]?.array?.first { $0.object?["name"] == "ContactsKit" }
    #expect(listed?.object?["hashes"] != nil)
  }

  @Test("are known after they were signed anew, and not by other code")
  func signedAnew() throws {
    var bytes = Array(try Fixture.data(Self.library))
    // The signature stands at the end.
    bytes[bytes.count - 40] ^= 0xff
    let module = module(of: Bytes(bytes))
    #expect(!module.identities.isEmpty)
    var scan = Scan()
    scan.modules = [module]
    let signed = try scan.report(of: [Fixture.path(Self.library)])
    #expect(signed.components.map(\.name) == ["ContactsKit"])
    let other = try scan.report(of: [Fixture.path("scan/elf/libe.so")])
    #expect(other.components.contains { $0.source == "DT_SONAME" })
    #expect(other.components.last?.source == "mpaas.lock")
  }
}
