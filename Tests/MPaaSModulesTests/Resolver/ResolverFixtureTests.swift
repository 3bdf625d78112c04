import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The resolver on synthetic registries", .fixtures) struct SyntheticRegistryTests {
  private func input(_ name: String) throws -> ResolverInput {
    try Fixture.data("project/resolver/synthetic/\(name).json").withUnsafeBytes {
      try ResolverFile(reading: $0, file: name).input
    }
  }

  @Test(
    "what a SAT solver finds solvable is solved, and every requirement of the solution holds",
    arguments: [
      "big200_s11_c0", "planted300_s7_c0.25", "firebase_like", "needle_12x30", "sat3_30_s1",
    ])
  func solvable(_ name: String) throws {
    let input = try input(name)
    guard case .solved(let releases) = try ModuleResolver(input).resolve() else {
      Issue.record("\(name) was not solved")
      return
    }
    let modules = try input.names.compactMap { try input.index($0) }
    let oracle = ResolverOracle(input: input, modules: modules)
    #expect(oracle.isSolution(releases))
    #expect(oracle.needed(releases) == releases.mapValues(\.version))
  }

  @Test(
    "what a SAT solver refutes is explained in at most 8 lines, with a change that works",
    arguments: ["big300_s3_c0.08", "pigeon_5", "pigeon_6", "sat3_40_s2", "unsat_deep_25x20"])
  func unsolvable(_ name: String) throws {
    let input = try input(name)
    try check(conflict(input), of: input, name)
  }

  @Test("versions are the newest where nothing speaks against it: only a very old one stands beside the base")
  func newest() throws {
    let versions = try #require(try resolve(input("firebase_like")))
    #expect(versions["base"] == "6.19.0")
    #expect(versions["ui"] == "0.1.0")
    #expect(versions["sub0"] == "1.19.0")
    let ring = try #require(try resolve(input("needle_12x30")))
    #expect(ring.filter { $0.key != "leaf" }.allSatisfy { $0.value == "1.0.0" })
    #expect(ring.count == 13)
  }
}

/// Registries of CocoaPods' resolver, with requirements and pre-releases as Ruby writes them.
@Suite("The resolver on the cases of other tools", .fixtures) struct OtherToolsTests {
  private func json(_ path: String) throws -> JSONValue {
    // Some of these files have lines of comments.
    let text = String(decoding: try Fixture.data("project/resolver/" + path), as: UTF8.self)
      .split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(
        separator: "\n")
    return try Data(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
  }

  /// `1.0.0.beta1` is a pre-release to Ruby: the mark begins with the first part that has a letter.
  private func ruby(_ text: String) -> String {
    guard !text.contains("-") else { return text }
    let parts = text.split(separator: ".")
    let numbers = parts.prefix { $0.allSatisfy(\.isNumber) }
    guard numbers.count < parts.count else { return text }
    return numbers.joined(separator: ".") + "-" + parts.dropFirst(numbers.count).joined(separator: ".")
  }

  private func rubyRequirement(_ text: String) throws -> VersionRequirement {
    let parts = text.split(separator: ",").map { part -> String in
      let sign = part.prefix { !$0.isNumber }
      return String(sign) + ruby("\(part.dropFirst(sign.count))")
    }
    return try #require(VersionRequirement(parts.joined(separator: ",")), "\(text)")
  }

  private func release(
    _ name: String, _ version: ModuleVersion, _ dependencies: [ModuleDependency]
  ) -> ModuleRelease {
    var manifest = ModuleManifest(name: name, version: version)
    manifest.dependencies = dependencies.sorted { $0.name < $1.name }
    let archive = ModuleArchiveFile(name: "", size: 0, sha256: "", unpackedSize: 0, fileCount: 0)
    return ModuleRelease(manifest: manifest, archive: archive, released: 0)
  }

  private func pods(_ name: String) throws -> [String: ModuleIndex] {
    var indexes: [String: ModuleIndex] = [:]
    for (name, value) in try json("cocoapods/index/\(name).json").object ?? [:] {
      var releases: [ModuleRelease] = []
      for release in value.array ?? [] {
        // Ruby allows any number of parts; five are too many for us, and no case needs them.
        guard let version = ModuleVersion(ruby(release.object?["version"]?.string ?? "")) else { continue }
        let pairs: [(String, String)] =
          release.object?["dependencies"]?.object?.map { ($0.key, $0.value.string ?? "") }
          ?? release.object?["dependencies"]?.array?.map {
            ($0.array?.first?.string ?? "", $0.array?.last?.string ?? "")
          }
          ?? []
        let dependencies = try pairs.map { ModuleDependency($0.0, try rubyRequirement($0.1)) }
        releases.append(self.release(name, version, dependencies))
      }
      indexes[name] = ModuleIndex(name: name, releases: releases.sorted { $0.version > $1.version })
    }
    return indexes
  }

  private func flat(_ value: JSONValue?) -> [String: String] {
    var versions: [String: String] = [:]
    for member in value?.array ?? [] {
      guard let name = member.object?["name"]?.string else { continue }
      versions[name] = member.object?["version"]?.string
      versions.merge(flat(member.object?["dependencies"])) { $1 }
    }
    return versions
  }

  @Test(
    "CocoaPods' cases end in the versions that CocoaPods chooses",
    arguments: [
      "complex_conflict", "complex_conflict_unwinding", "conflict", "conflict_common_parent", "empty",
      "previous_primary_conflict", "shared_parent_dependency_with_swapping", "simple", "simple_with_base",
      "simple_with_dependencies", "spapping_and_rewinding", "swapping_changes_transitive_dependency",
      "three_way_conflict",
    ])
  func pods(case name: String) throws {
    let test = try #require(try json("cocoapods/case/\(name).json").object)
    let indexes = try pods(test["index"]?.string ?? "awesome")
    var roots: [ModuleDependency] = []
    for (name, range) in (test["requested"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      // A name that is asked for twice bears a mark the second time, as JSON has each name once.
      roots.append(ModuleDependency(name.filter { $0 != "\u{1}" }, try rubyRequirement(range.string ?? "")))
    }
    var input = ResolverInput(roots: roots) { indexes[$0] }
    input.locked = flat(test["base"]).compactMapValues { ModuleVersion($0) }
    let found = try #require(try resolve(input), "\(name) was not solved")
    #expect(found.mapValues { $0.replacing("-", with: ".") } == flat(test["resolved"]))
  }

  /// Ruby's resolver refuses rings because it builds in order; frameworks that need one another are linked together.
  @Test("modules that need one another are no conflict")
  func ring() throws {
    let indexes = try pods("circular")
    let input = ResolverInput(roots: [ModuleDependency("circular_app", .all)]) { indexes[$0] }
    #expect(try resolve(input) == ["circular_app": "1.0.0", "foo": "0.2.6", "bar": "1.0.0"])
  }

  @Test("each module of CocoaPods' fuzz index resolves as a search that tries everything says, or is explained")
  func fuzzIndex() throws {
    let indexes = try pods("fuzz")
    for name in indexes.keys.sorted() {
      let input = ResolverInput(roots: [ModuleDependency(name, .all)]) { indexes[$0] }
      switch try ModuleResolver(input).resolve() {
      case .solved(let releases):
        #expect(ResolverOracle(input: input, modules: Array(indexes.values)).isSolution(releases))
      case .unsatisfiable(let conflict): try check(conflict, of: input, name)
      case .unknown(let search): Issue.record("\(name): \(search)")
      }
    }
  }

  /// `name<=1,>=2`, `name (~=1.2.0)`.
  private func python(_ text: String) throws -> ModuleDependency {
    let name = String(text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    var range = text.dropFirst(name.count).filter { !" ()".contains($0) }
    if range.hasPrefix("~=") { range = "~>" + range.dropFirst(2) }
    return ModuleDependency(name, try #require(VersionRequirement(range), "\(text)"))
  }

  @Test(
    "resolvelib's cases of jumping back end as it says", arguments: ["backjump-test-1", "backjump-test-3", "issue-134"])
  func python(case name: String) throws {
    let test = try #require(try json("resolvelib/case/\(name).json").object)
    var indexes: [String: ModuleIndex] = [:]
    for (name, versions) in try json("resolvelib/index/\(name).json").object ?? [:] {
      guard let versions = versions.object else { continue }
      let releases = try versions.compactMap { version, value -> ModuleRelease? in
        guard let version = ModuleVersion(version) else { return nil }
        return release(
          name, version, try (value.object?["dependencies"]?.array ?? []).map { try python($0.string ?? "") })
      }
      indexes[name] = ModuleIndex(name: name, releases: releases)
    }
    let roots = try (test["requested"]?.array ?? []).map { try python($0.string ?? "") }
    let found = try resolve(ResolverInput(roots: roots) { indexes[$0] })
    #expect(found == test["resolved"]?.object?.compactMapValues(\.string))
  }

  /// `["1.0.0", "2.0.0"]` is what lies between; a text alone is a version.
  private func swift(_ value: JSONValue) throws -> ModuleDependency {
    let members = try #require(value.object)
    let name = try #require(members["identifier"]?.string)
    let requirement = members["requirement"]
    let bounds = requirement?.array?.compactMap(\.string) ?? []
    let text = bounds.count == 2 ? ">=\(bounds[0]),<\(bounds[1])" : requirement?.string ?? "*"
    return ModuleDependency(name, try #require(VersionRequirement(text), "\(text)"))
  }

  @Test(
    "SwiftPM's inputs are solved, and all their requirements hold", arguments: ["SourceKitten", "PerfectHTTPServer"])
  func swiftPM(_ name: String) throws {
    let file = try #require(try json("swiftpm/\(name).json").object)
    var indexes: [String: ModuleIndex] = [:]
    for container in file["containers"]?.array ?? [] {
      let name = try #require(container.object?["identifier"]?.string)
      let releases = try (container.object?["versions"]?.object ?? [:]).compactMap { version, value -> ModuleRelease? in
        guard let version = ModuleVersion(version) else { return nil }
        return release(name, version, try (value.array ?? []).map(swift))
      }
      indexes[name] = ModuleIndex(name: name, releases: releases)
    }
    let roots = try (file["constraints"]?.array ?? []).map(swift)
    let input = ResolverInput(roots: roots) { indexes[$0] }
    guard case .solved(let releases) = try ModuleResolver(input).resolve() else {
      Issue.record("\(name) was not solved")
      return
    }
    #expect(ResolverOracle(input: input, modules: Array(indexes.values)).isSolution(releases))
    #expect(roots.allSatisfy { releases[$0.name] != nil })
  }
}
