import Foundation
import MPaaSTestSupport
import Testing

/// The manifest that `make install` puts beside the libraries, and what it stands on.
@Suite("The installed kit's manifest") struct KitManifestTests {
  private static func targets(_ manifest: String) throws -> [String: String] {
    let text = try String(contentsOf: Fixture.package.appending(path: manifest), encoding: .utf8)
    // A target begins after four blanks, and comments may stand between it and the next one.
    let blocks = text.split(separator: "\n    .").dropFirst().compactMap { block -> (String, String)? in
      guard let name = block.firstMatch(of: /(?i)target\(\s*name: "(\w+)"|plugin\(\s*name: "(\w+)"/) else { return nil }
      let text = block + "\n"
      let end = text.firstRange(of: "),\n")?.lowerBound ?? text.endIndex
      let words = text[..<end].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return (String(name.1 ?? name.2 ?? ""), words)
    }
    return Dictionary(blocks, uniquingKeysWith: { $1 })
  }

  @Test("describes its targets as the repository's own does")
  func same() throws {
    let own = try Self.targets("Package.swift"), kit = try Self.targets("scripts/kit/Package.swift")
    #expect(kit.count > 10)
    for (name, target) in kit { #expect(own[name] == target, "\(name)") }
  }

  @Test("has every target of ours that its targets depend on, and nothing of the reports that the command alone reads")
  func whole() throws {
    let own = try Self.targets("Package.swift"), kit = try Self.targets("scripts/kit/Package.swift")
    for (name, target) in kit {
      let list = target.firstMatch(of: /dependencies: \[(.*?)\]/)?.1 ?? ""
      for found in list.matches(of: /"(\w+)"/) where own[String(found.1)] != nil {
        #expect(kit[String(found.1)] != nil, "\(name) depends on \(found.1)")
      }
    }
    #expect(kit["MPaaSCrashReport"] != nil)
    #expect(kit["MPaaSCrash"] == nil)
  }
}
