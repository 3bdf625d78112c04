import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTOML
import MPaaSTestSupport
import Testing

/// Scenarios of Python's packaging tools, with their versions written as ours.
@Suite("The resolver on packaging scenarios", .fixtures) struct PackseTests {
  private static let scenarios: [String] = {
    guard let root = Fixture.root?.appending(path: "project/resolver/packse"),
      let files = FileManager.default.enumerator(atPath: root.path)
    else { return [] }
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".toml") }.sorted()
  }()

  /// `2.0.0b1` as `2.0.0-b.1`, so that its last number counts as one.
  private func version(_ text: String) -> String {
    guard let mark = text.firstIndex(where: \.isLetter) else { return text }
    return "\(text[..<mark])-\(text[mark]).\(text[text.index(after: mark)...])"
  }

  private func dependency(_ text: String) throws -> ModuleDependency {
    let name = String(text.prefix { $0.isLetter || $0 == "-" })
    let parts = text.dropFirst(name.count).split(separator: ",").map { part -> String in
      let sign = part.prefix { !$0.isNumber }
      return String(sign) + version("\(part.dropFirst(sign.count))")
    }
    return ModuleDependency(name, try #require(VersionRequirement(parts.joined(separator: ",")), "\(text)"))
  }

  private func dependencies(_ value: JSONValue?) throws -> [ModuleDependency] {
    try (value?.object?["requires"]?.array ?? []).map { try dependency($0.string ?? "") }
  }

  @Test("each scenario ends as it says", arguments: scenarios)
  func scenario(_ path: String) throws {
    let text = String(decoding: try Fixture.data("project/resolver/packse/" + path), as: UTF8.self)
    let scenario = try TOMLDocument(text, file: path).values
    var indexes: [String: ModuleIndex] = [:]
    for (name, package) in scenario["packages"]?.object ?? [:] {
      var releases: [ModuleRelease] = []
      for (text, value) in package.object?["versions"]?.object ?? [:] {
        let version = try #require(ModuleVersion(version(text)))
        var manifest = ModuleManifest(name: name, version: version)
        manifest.dependencies = try dependencies(value)
        let archive = ModuleArchiveFile(name: "", size: 0, sha256: "", unpackedSize: 0, fileCount: 0)
        let yanked = value.object?["yanked"]?.bool == true ? "" : nil
        releases.append(ModuleRelease(manifest: manifest, archive: archive, released: 0, yanked: yanked))
      }
      indexes[name] = ModuleIndex(name: name, releases: releases)
    }
    let input = ResolverInput(roots: try dependencies(scenario["root"])) { indexes[$0] }
    let expected = try #require(scenario["expected"]?.object)
    guard expected["satisfiable"]?.bool == true else {
      try check(conflict(input), of: input, path)
      return
    }
    let found = try resolve(input)
    #expect(found == expected["packages"]?.object?.compactMapValues { $0.string.map(version) })
  }

  @Test("there are scenarios")
  func some() { #expect(Self.scenarios.count == 22) }
}
