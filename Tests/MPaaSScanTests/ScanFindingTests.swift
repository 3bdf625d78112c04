import Foundation
import MPaaSCodeSignature
import MPaaSScan
import MPaaSSecrets
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Findings about images", .fixtures) struct ScanFindingTests {
  private func findings(_ fixture: String) throws -> [String: String] {
    let report = try Scan().report(of: [Fixture.path(fixture)])
    return Dictionary(report.findings.map { ($0.id.name, $0.evidence) }) { first, _ in first }
  }

  @Test("are not made of an image that calls nothing but printf: a canary is unknown there, not missing")
  func plain() throws {
    #expect(try findings("scan/macho/plain_arm64").isEmpty)
    #expect(try findings("scan/elf/hard").isEmpty)
  }

  @Test("name a search path outside of the app, and none inside")
  func searchPaths() throws {
    #expect(try findings("scan/macho/risky_canary_rpath")["scan-rpath-outside"] == "/usr/local/lib")
    #expect(try findings("scan/elf/runpath")["scan-rpath-outside"] == nil)
    #expect(try findings("scan/isign-Test.app/isignTestApp")["scan-rpath-outside"] == nil)
  }

  @Test("name what is called, and how the program was linked")
  func calls() throws {
    let risky = try findings("scan/macho/risky_canary_rpath")
    #expect(risky["scan-weak-hash"] == "CC_MD5")
    #expect(risky["scan-c-gets"] == "gets")
    #expect(risky["scan-ptrace"] == "ptrace")
    #expect(risky["scan-no-canary"] == nil)
    let bare = try findings("scan/elf/bare")
    #expect(
      bare.keys.sorted() == ["scan-c-unbounded", "scan-no-canary", "scan-no-fortify", "scan-no-pie", "scan-no-relro"])
    #expect(try findings("scan/elf/execstack")["scan-stack-executable"] == "PT_GNU_STACK RWE")
    #expect(try findings("scan/elf/libe.so")["scan-no-pie"] == nil)
    #expect(try findings("scan/macho/x86_nopie_adhoc")["scan-no-pie"] == "MH_PIE")
    #expect(try findings("scan/macho/Demo_dylib")["scan-no-pie"] == nil)
  }

  @Test("name exactly the page in which a byte was changed")
  func pages() throws {
    let file = try Fixture.data("scan/macho/goodcert")
    for page in [0, 3, 11] {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      var changed = file
      // In the header only bytes that no fact is of: the end of a page.
      changed[page * 4096 + 4095] ^= 1
      let path = folder.appending(path: "image").path
      try changed.write(to: URL(filePath: path))
      let report = try Scan().report(of: [path])
      guard case .machO(let facts)? = report.images.first?.facts else {
        Issue.record("no image")
        return
      }
      #expect(facts.signature?.directories.map(\.badPages) == [[page]])
    }
  }

  @Test("name a key in the data of a program, masked, by its offset in the file")
  func secrets() throws {
    let path = try Fixture.path("scan/macho/risky_canary_rpath")
    var scan = Scan()
    scan.secretRules = try SecretRules.builtIn()
    let found = try scan.report(of: [path]).findings.filter { $0.id.name == "scan-secret" }
    #expect(found.count == 1)
    let offset = try Int(#require(found.first?.place.offset))
    let file = try Fixture.data("scan/macho/risky_canary_rpath")
    #expect(String(decoding: file[offset..<offset + 20], as: UTF8.self) == "AKIAQWERTYUIOPASDFGH")
    #expect(found.first?.evidence.contains("AKIAQWERTYUIOPASDFGH") == false)
    scan.secretReach = .none
    #expect(try !scan.report(of: [path]).findings.contains { $0.id.name == "scan-secret" })
  }

  @Test("name the files that a signed app lacks, and none that it has")
  func seal() throws {
    let report = try Scan().report(of: [Fixture.path("scan/isign-Test.app")])
    let missing = report.findings.filter { $0.id.name == "scan-resource-missing" }.map {
      FileSystem.name(of: $0.place.path)
    }
    #expect(missing.contains("Assets.car") && missing.contains("embedded.mobileprovision"))
    #expect(!missing.contains("Info.plist") && !missing.contains("PkgInfo"))
    #expect(!report.findings.contains { $0.id.name == "scan-resource-changed" || $0.id.name == "malformed" })
  }
}
