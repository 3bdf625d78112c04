import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The resolver and a search that tries everything") struct ResolverRandomTests {
  private static let versions = ["1.0.0", "1.1.0", "2.0.0", "2.1.0-beta", "3.0.0"]
  private static let ranges = [
    "*", "^1", "^2", ">=1.1", "<2", "==2.0.0", "1.0.0", "!=2.0.0", ">=2.1.0-a", "^1 || ^3", "^9",
  ]

  private static func input(_ random: inout SeededRandom) -> (ResolverInput, [ModuleIndex]) {
    let names = ["a", "b", "c", "d", "e"].prefix(Int.random(in: 2...5, using: &random))
    func range() -> VersionRequirement {
      ranges.randomElement(using: &random).flatMap(VersionRequirement.init) ?? .all
    }
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    var indexes: [ModuleIndex] = []
    for name in names {
      var releases: [ModuleRelease] = []
      for text in versions where chance(55) && releases.count < 3 {
        guard let version = ModuleVersion(text) else { continue }
        var manifest = ModuleManifest(name: name, version: version)
        for other in names where chance(45) {
          var dependency = ModuleDependency(other, range(), isOptional: chance(15))
          if chance(10) { dependency.platforms = [chance(50) ? .ios : .macos] }
          manifest.dependencies.append(dependency)
        }
        if chance(12), let other = names.randomElement(using: &random) {
          manifest.conflicts.append(ModuleConflict(other, range()))
        }
        if chance(3) { manifest.dependencies.append(ModuleDependency("nobody", .all)) }
        if chance(15), let needed = ModuleVersion(chance(50) ? "12.0" : "15.0") {
          manifest.platforms = [chance(80) ? .ios : .macos: needed]
        }
        let archive = ModuleArchiveFile(name: "", size: 0, sha256: "", unpackedSize: 0, fileCount: 0)
        releases.append(ModuleRelease(manifest: manifest, archive: archive, released: 0, yanked: chance(8) ? "" : nil))
      }
      indexes.append(ModuleIndex(name: name, releases: releases.reversed()))
    }
    let table = Dictionary(uniqueKeysWithValues: indexes.map { ($0.name, $0) })
    var input = ResolverInput(
      roots: (0..<Int.random(in: 1...3, using: &random)).map { _ in
        ModuleDependency(names.randomElement(using: &random) ?? "a", range())
      }, index: { table[$0] })
    input.platform = chance(70) ? .ios : nil
    input.minimum = chance(70) ? ModuleVersion("13.0") : nil
    if chance(30) { input.locked["b"] = ModuleVersion("1.1.0") }
    if chance(30) { input.preferred["a"] = ModuleVersion("1.0.0") }
    if chance(20) { input.wanted["a"] = ["b", "c"] }
    return (input, indexes)
  }

  @Test("small registries: the same verdict, a solution that holds, the only one where there is one, fixes that work")
  func agreement() throws {
    for round in 0..<SeededRandom.rounds(or: 250) {
      var random = SeededRandom(seed: UInt64(round))
      let (input, indexes) = Self.input(&random)
      let oracle = ResolverOracle(input: input, modules: indexes)
      let solutions = oracle.solutions()
      switch try ModuleResolver(input).resolve() {
      case .solved(let releases):
        #expect(oracle.isSolution(releases), "round \(round)")
        #expect(oracle.needed(releases) == releases.mapValues(\.version), "round \(round)")
        #expect(solutions.contains(releases.mapValues(\.version)), "round \(round)")
      case .unsatisfiable(let conflict):
        #expect(solutions.isEmpty, "round \(round)")
        try check(conflict, of: input, "round \(round)")
      case .unknown(let search): Issue.record("round \(round): \(search)")
      }
    }
  }

  @Test("two runs give the same")
  func determinism() throws {
    for round in 0..<40 {
      var random = SeededRandom(seed: UInt64(round)), again = SeededRandom(seed: UInt64(round))
      let first = try ModuleResolver(Self.input(&random).0).resolve()
      let second = try ModuleResolver(Self.input(&again).0).resolve()
      switch (first, second) {
      case (.solved(let one), .solved(let other)): #expect(one == other)
      case (.unsatisfiable(let one), .unsatisfiable(let other)): #expect(one == other)
      default: Issue.record("different verdicts in round \(round)")
      }
    }
  }

  @Test("bytes that are no registry are refused, and never bring the reader down")
  func anyBytes() throws {
    let seed =
      #"{"root":{"a":"^1"},"packages":{"a":{"1.0.0":{"b":">=1,<2"}},"b":{"1.2.0":{"dependencies":{},"yanked":true}}}}"#
    for round in 0..<SeededRandom.rounds(or: 300) {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = Array(seed.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
      }
      do {
        let input = try bytes.withUnsafeBytes { try ResolverFile(reading: $0, file: "fuzz").input }
        _ = try ModuleResolver(input).resolve()
      } catch let error as ModuleError {
        #expect(error.code == .resolverFileMalformed)
      }
    }
  }
}
