import Foundation
import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Facts of images", .fixtures) struct ScanFactsTests {
  /// The facts of a file's images, as `mpaas scan --json` has them, read by another reader of JSON.
  static func facts(of fixture: String) throws -> [[String: Any]] {
    let report = try Scan().report(of: [Fixture.path(fixture)])
    return try report.images.map { image in
      let document = try JSONSerialization.jsonObject(with: Data(image.json.line.utf8)) as? [String: Any]
      return try #require(document?["facts"] as? [String: Any])
    }
  }

  static func expected(_ fixture: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Fixture.data(fixture))
    return try #require(value as? [String: Any])
  }

  static let apps = [
    ("scan/macho", "scan/macho/expected.json"), ("scan/isign-Test.app", "scan/isign-Test.app.expected.json"),
  ]

  @Test("of Mach-O are those that LIEF tells, slice by slice", arguments: apps)
  func machO(folder: String, expected: String) throws {
    for (name, value) in try Self.expected(expected) {
      let slices = try #require(value as? [[String: Any]])
      let images = try Self.facts(of: "\(folder)/\(name)")
      #expect(images.count == slices.count, "\(name)")
      for (facts, slice) in zip(images, slices) {
        for key in [
          "pie", "allowStackExecution", "restrict", "canary", "arc", "debugMap", "encryption", "uuid", "rpaths",
          "imports", "writableAndExecutable",
        ] {
          #expect(
            (facts[key] as? NSObject) == (slice[key] as? NSObject),
            "\(name) \(key): \(facts[key] ?? "") \(slice[key] ?? "")")
        }
        let libraries = (facts["libraries"] as? [[String: Any]])?.map {
          [$0["name"] as? String, $0["version"] as? String]
        }
        let known = (slice["libraries"] as? [[String: Any]])?.map { [$0["name"] as? String, $0["current"] as? String] }
        #expect(libraries == known, "\(name)")
        try check(signature: facts["signature"], known: slice["signature"], name)
      }
    }
  }

  private func check(signature: Any?, known: Any?, _ name: String) throws {
    guard let known = known as? [String: Any] else {
      #expect(signature is NSNull, "\(name)")
      return
    }
    let signature = try #require(signature as? [String: Any], "\(name)")
    #expect((signature["cmsSignatureHolds"] as? Bool) == (known["cmsSignatureHolds"] as? Bool), "\(name)")
    let directories = try #require(signature["directories"] as? [[String: Any]])
    let wanted = try #require(known["directories"] as? [[String: Any]])
    #expect(directories.count == wanted.count)
    for (directory, wanted) in zip(directories, wanted) {
      for key in ["identifier", "team", "hash", "cdhash", "codeLimit", "badPages"] {
        #expect((directory[key] as? NSObject) == (wanted[key] as? NSObject), "\(name) \(key)")
      }
    }
  }

  @Test("of ELF are those that checksec.py tells")
  func elf() throws {
    for (name, value) in try Self.expected("scan/elf/expected.json") {
      let known = try #require((value as? [String: Any])?["checksec"] as? [String: Any])
      let facts = try #require(try Self.facts(of: "scan/elf/\(name)").first)
      for key in ["nx", "canary", "rpath", "runpath", "symbols"] {
        #expect((facts[key] as? Bool) == (known[key] as? Bool), "\(name) \(key)")
      }
      #expect((facts["relro"] as? String) == (known["relro"] as? String)?.lowercased(), "\(name)")
      let pie = ["No": "no", "PIE": "yes", "DSO": "library"][known["pie"] as? String ?? ""]
      #expect((facts["pie"] as? String) == pie, "\(name)")
      #expect((facts["fortified"] as? [String])?.count == known["fortified"] as? Int, "\(name)")
    }
  }

  @Test("name BTI and PAC where all code has them")
  func branchProtection() throws {
    let facts = try #require(try Self.facts(of: "scan/elf/aarch64_bti.so").first)
    #expect(facts["branchProtection"] as? String == "yes")
    #expect(facts["fortify"] as? String == "notApplicable")
  }
}
