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

  @Test("describes its targets as the repository's own does, but for the reports that the command alone reads")
  func same() throws {
    let own = try Self.targets("Package.swift"), kit = try Self.targets("scripts/kit/Package.swift")
    #expect(kit.count > 10)
    for (name, target) in kit where name != "MPaaSCrash" { #expect(own[name] == target, "\(name)") }
  }

  @Test("lists sources that there are, and only those that need nothing but the support library")
  func sources() throws {
    let crash = try #require(try Self.targets("scripts/kit/Package.swift")["MPaaSCrash"])
    let files = crash.matches(of: /"([\w+\/]+\.swift)"/).map { String($0.1) }
    #expect(files.count > 10)
    for file in files {
      let text = try String(
        contentsOf: Fixture.package.appending(path: "Sources/MPaaSCrash/\(file)"), encoding: .utf8)
      let imports = Set(text.matches(of: /(?m)^ *(?:package )?import (\w+)/).map { String($0.1) })
      #expect(imports.subtracting(["MPaaSSupport", "Darwin", "Glibc", "Musl"]).isEmpty, "\(file): \(imports)")
    }
  }
}
