import MPaaSModules
import MPaaSSupport
import Testing

@Suite("Resolving a project") struct ProjectResolverTests {
  /// Modules by name, each with versions and what these need.
  private typealias Offer = [String: [(version: String, needs: [String: String])]]

  private func lock(
    _ manifest: String, _ offer: Offer, from lock: ProjectLock? = nil, update: ProjectResolver.Update = .none,
    digest: Character = "a"
  ) throws -> ProjectLock { try resolver(manifest, offer, lock, update, digest).resolve() }

  private func resolver(
    _ manifest: String, _ offer: Offer, _ lock: ProjectLock?, _ update: ProjectResolver.Update = .none,
    _ digest: Character = "a"
  ) throws -> ProjectResolver {
    var indexes: [String: ModuleIndex] = [:]
    for (name, versions) in offer {
      indexes[name] = ModuleIndex(
        name: name,
        releases: try versions.reversed().map { version, needs in
          var manifest = ModuleManifest(name: name, version: try #require(ModuleVersion(version)))
          for (need, text) in needs {
            let requirement = try #require(VersionRequirement(text.replacing("?", with: "")))
            manifest.dependencies.append(ModuleDependency(need, requirement, isOptional: text.hasSuffix("?")))
          }
          let archive = ModuleArchiveFile(
            name: "\(name)-\(version).zip", size: 1,
            sha256: String(repeating: digest, count: 60) + version.utf8.reduce(0) { $0 &* 31 &+ UInt16($1) }.hex,
            unpackedSize: 1, fileCount: 1)
          return ModuleRelease(manifest: manifest, archive: archive, released: 0)
        })
    }
    let known = indexes
    return ProjectResolver(
      project: try ProjectManifest(reading: manifest, file: "mpaas.toml"), lock: lock, update: update
    ) { name, registry throws(ModuleError) in
      known[name].map { OfferedModule(registry: registry ?? "main", index: $0) }
    }
  }

  private func versions(_ lock: ProjectLock, _ target: String? = nil) -> [String: String] {
    lock.versions(for: target).mapValues(\.text)
  }

  private let offer: Offer = [
    "A": [("1.0", ["B": "^1"]), ("1.1", ["B": "^1", "C": "*?"]), ("2.0", ["B": "^2"])],
    "B": [("1.0", [:]), ("1.1", [:]), ("2.0", [:])], "C": [("1", [:])],
  ]

  @Test("what is locked stays until it may be updated, alone or with all")
  func update() throws {
    let old = try lock("[modules]\nA = \"^1\"", ["A": [("1.0", ["B": "^1"])], "B": [("1.0", [:])]])
    #expect(versions(old) == ["A": "1.0", "B": "1.0"])
    #expect(try versions(lock("[modules]\nA = \"^1\"", offer, from: old)) == ["A": "1.0", "B": "1.0"])
    let one = try lock("[modules]\nA = \"^1\"", offer, from: old, update: .names(["A"]))
    #expect(versions(one) == ["A": "1.1", "B": "1.0"])
    #expect(try versions(lock("[modules]\nA = \"^1\"", offer, from: old, update: .all)) == ["A": "1.1", "B": "1.1"])
    let error = #expect(throws: ModuleError.self) {
      try lock("[modules]\nAbc = \"^1\"", offer, from: old, update: .names(["Abd"]))
    }
    #expect(error?.code.id == "project-module-unused-near")
  }

  @Test("two targets may have different versions, and agree where they can")
  func targets() throws {
    let text = "[targets.One.modules]\nA = \"^1\"\nC = \"*\"\n[targets.Two.modules]\nA = \"^2\"\nC = \"*\"\n"
    let result = try lock(text, offer)
    #expect(versions(result, "One") == ["A": "1.1", "B": "1.1", "C": "1"])
    #expect(versions(result, "Two") == ["A": "2.0", "B": "2.0", "C": "1"])
    #expect(result.modules.first { $0.name == "C" }?.targets == [])
    #expect(result.modules.count == 5)
    let agreeing = "[targets.One.modules]\nB = \"==1.0\"\n[targets.Two.modules]\nB = \"^1\"\n"
    #expect(try versions(lock(agreeing, offer), "Two") == ["B": "1.0"])
    #expect(try resolver(text, [:], result).frozen() == result)
  }

  @Test("an update of one target leaves the others where they are, and goes past them")
  func updateOfOne() throws {
    let text = "[modules]\nA = \"^1\"\n[targets.One]\n[targets.Two]\n"
    let old = try lock(text, ["A": [("1.0", ["B": "^1"])], "B": [("1.0", [:])]])
    var resolver = try resolver(text, offer, old, .all)
    resolver.updatedTarget = "Two"
    let new = try resolver.resolve()
    #expect(versions(new, "One") == ["A": "1.0", "B": "1.0"])
    #expect(versions(new, "Two") == ["A": "1.1", "B": "1.1"])
  }

  @Test("optional modules come where they are wanted, and one that is none is named")
  func options() throws {
    #expect(try versions(lock("[modules]\nA = { version = \"^1\", with = [\"C\"] }", offer))["C"] == "1")
    #expect(try versions(lock("[modules]\nA = \"^1\"", offer))["C"] == nil)
    let error = #expect(throws: ModuleError.self) {
      try lock("[modules]\nA = { version = \"^1\", with = [\"D\"] }", offer)
    }
    #expect(error?.code.id == "project-no-such-option")
    #expect(error?.place == .text(file: "mpaas.toml", line: 2, column: nil))
  }

  @Test("a conflict is explained at the line that asks for it")
  func conflict() throws {
    let error = #expect(throws: ModuleError.self) { try lock("[modules]\n\nA = \"^2\"\nB = \"^1\"", offer) }
    #expect(error?.code.id == "resolver-unsatisfiable")
    #expect(error?.details.isEmpty == false)
    guard case .text("mpaas.toml", let line, _) = error?.place else {
      Issue.record("no line")
      return
    }
    #expect(line == 3 || line == 4)
  }

  @Test("frozen says what changed, and needs no registry")
  func frozen() throws {
    let text = "[modules]\nA = \"^1\"\n"
    let old = try lock(text, offer)
    #expect(try resolver(text, [:], old).frozen() == old)
    for (changed, key) in [
      ("[modules]\nA = \"^2\"\n", "text.lock-unfit"), (text + "C = \"*\"\n", "text.lock-lacks"),
      ("[modules]\nB = \"*\"\n", "text.lock-unused"),
      ("[modules]\nA = { version = \"^1\", registry = \"other\" }\n", "text.lock-registry"),
      ("[project]\nminimum = \"9\"\n" + text, "text.lock-system"),
      ("[registries.new]\nurl = \"https://example.com\"\n" + text, "text.lock-registry-gone"),
      ("[project]\nplatform = \"ios\"\n" + text, "text.lock-system"),
    ] {
      let error = #expect(throws: ModuleError.self) { try resolver(changed, [:], old).frozen() }
      #expect(error?.code.id == "lock-outdated", "\(changed)")
      #expect(error?.details.first?.key == key, "\(changed)")
    }
  }

  @Test("two modules whose names differ in case alone are refused")
  func names() throws {
    let offer: Offer = ["A": [("1", ["b": "*"])], "B": [("1", [:])], "b": [("1", [:])]]
    let error = #expect(throws: ModuleError.self) { try lock("[modules]\nA = \"*\"\nB = \"*\"\n", offer) }
    #expect(error?.code.id == "project-name-case")
  }

  @Test("a version whose archive is another than the locked one is refused")
  func digest() throws {
    let text = "[modules]\nB = \"^1\"\n"
    let old = try lock(text, offer)
    let error = #expect(throws: ModuleError.self) { try lock(text, offer, from: old, digest: "b") }
    #expect(error?.code.id == "lock-digest-changed")
  }

  @Test("the ways to a module are the shortest over each that needs it")
  func paths() throws {
    let lock = try lock("[modules]\nA = \"^1\"\nB = \"*\"", offer)
    let graph = LockedGraph(ProjectTarget(modules: [.init("A", .all), .init("B", .all)]), lock)
    #expect(graph.paths(to: "B").map { $0.map(\.name) } == [["B"], ["A", "B"]])
  }
}

extension UInt16 {
  /// Four digits.
  fileprivate var hex: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
