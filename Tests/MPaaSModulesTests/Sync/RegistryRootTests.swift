import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The root that a user trusts a registry by") struct RegistryRootTests {
  static let bytes = Array("root".utf8)
  static let fingerprint = Registry.fingerprint(of: bytes)

  @Test("is that of a file, for which nobody is asked")
  func file() throws {
    let folder = try TemporaryFolder()
    try Data(Self.bytes).write(to: folder.url.appending(path: "root.json"))
    let bytes = try RegistryRoot.file(folder.path + "/root.json").bytes(of: "main") {
      Issue.record("the registry was asked")
      return []
    }
    #expect(bytes == Self.bytes)
  }

  @Test("has the fingerprint that the user gives, however that is written")
  func fingerprint() throws {
    let spaced = Self.fingerprint.uppercased().map { "\($0):" }.joined()
    #expect(try RegistryRoot.fingerprint(spaced).bytes(of: "main") { Self.bytes } == Self.bytes)
    let error = #expect(throws: ModuleError.self) {
      try RegistryRoot.fingerprint("00").bytes(of: "main") { Self.bytes }
    }
    #expect(error?.code == .registryFingerprint)
  }

  @Test("is agreed to by its fingerprint", arguments: [true, false])
  func agreed(answer: Bool) throws {
    var shown: String?
    let root = RegistryRoot.agreed { fingerprint in
      shown = fingerprint
      return answer
    }
    if answer {
      #expect(try root.bytes(of: "main") { Self.bytes } == Self.bytes)
    } else {
      let error = #expect(throws: ModuleError.self) { try root.bytes(of: "main") { Self.bytes } }
      #expect(error?.code == .registryNotTrusted)
    }
    #expect(shown == Self.fingerprint)
  }

  @Test("makes no registry that cannot be used")
  func unusable() async throws {
    let folder = try TemporaryFolder()
    let directories = Directories(environment: ["MPAAS_HOME": folder.path + "/home"])
    var known = try UserRegistries(directories)
    await #expect(throws: ModuleError(.registryNotFetched, ["name": "main"])) {
      try await known.add("main", mirrors: ["/none"], root: Self.bytes) { registry in
        throw ModuleError(.registryNotFetched, ["name": registry.name])
      }
    }
    #expect(try UserRegistries(directories).registries.isEmpty)
    let added = try await known.add("main", mirrors: ["/none"], root: Self.bytes) { _ in 3 }
    #expect(added.modules == 3)
    #expect(try UserRegistries(directories).registries.map(\.name) == ["main"])
  }
}
