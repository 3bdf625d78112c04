import Foundation
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSModules

/// Holds `mpaas sdk` to what it does about registries that are old, changed, or not what they were.
@Suite("Registries that are not to be trusted") struct RegistryTrustTests {
  private static let past = Date(timeIntervalSinceNow: -3 * 86_400)
  private static let modules: [SignedModules.Module] = [.init("APLog", "1.0.0"), .init("UTDID", "1.0.0")]

  @Test("a timestamp that is served for too long is frozen; offline, what it named is used with a warning")
  func frozen() async throws {
    let registry = try SignedModules(Self.modules, made: Self.past)
    let server = try ModulesServer(registry.path)
    let user = try registry.user(at: [server.url])
    #expect(try user.refusal() == "timestamp-frozen", "nothing was trusted before")
    #expect(try user.refusal("--offline") == "registry-not-fetched")
    #expect(try await user.catalog(at: Self.past).names == ["APLog", "UTDID"])
    let frozen = try user.mpaas("sdk")
    #expect(frozen.status == 77, "\(frozen)")
    #expect(frozen.output.isEmpty, "\(frozen)")
    let requests = server.server.requests.count
    let offline = try user.mpaas("sdk", "--offline")
    #expect(offline.status == 0)
    #expect(offline.output.contains("APLog"))
    #expect(offline.errors.contains("main"), "\(offline.errors)")
    #expect(offline.errors.contains("expired"), "\(offline.errors)")
    #expect(server.server.requests.count == requests, "nobody was asked")
  }

  @Test("metadata that has expired behind a fresh timestamp is refused")
  func expired() throws {
    let registry = try SignedModules(Self.modules, days: ["timestamp": 30, "snapshot": 1], made: Self.past)
    #expect(try registry.user().refusal() == "metadata-expired")
    let targets = try SignedModules(
      Self.modules, days: ["timestamp": 30, "snapshot": 30, "targets": 1], made: Self.past)
    let user = try targets.user()
    #expect(try user.mpaas("sdk").status == 77)
    #expect(try user.refusal() == "metadata-expired")
    let offline = try user.mpaas("sdk", "--offline")
    #expect(offline.status == 0, "a folder of this machine is read offline too")
    #expect(offline.errors.contains("expired"), "a folder of this machine is read offline too")
  }

  @Test("files of different moments are not put together")
  func mixed() throws {
    let registry = try SignedModules(Self.modules)
    try registry.publish([.init("APLog", "1.1.0")])
    let metadata = registry.path + "/metadata"
    let versions = try FileManager.default.contentsOfDirectory(atPath: metadata)
      .filter { $0.hasSuffix(".targets.json") }.sorted()
    let last = try #require(versions.last)
    try FileManager.default.removeItem(atPath: "\(metadata)/\(last)")
    try FileManager.default.copyItem(atPath: "\(metadata)/\(versions[0])", toPath: "\(metadata)/\(last)")
    #expect(try ["metadata-mix-and-match", "metadata-digest-mismatch"].contains(registry.user().refusal()))
  }

  @Test("an index that was changed in the cache is fetched again, and offline the module is named")
  func changedCache() async throws {
    let registry = try SignedModules(Self.modules)
    let server = try ModulesServer(registry.path)
    let user = try registry.user(at: [server.url])
    _ = try await user.catalog()
    #expect(server.requests(ending: "index.json") == 2)
    let cache = URL(filePath: user.directories.data + "/registries/main/indexes")
    var bytes = try Data(contentsOf: cache)
    bytes[bytes.count - 10] ^= 1
    try bytes.write(to: cache)
    #expect(try user.refusal("--offline") == "module-index-missing")
    let offline = try user.mpaas("sdk", "--offline")
    #expect(offline.status == 69, "\(offline.errors)")
    #expect(offline.errors.contains("UTDID"), "\(offline.errors)")
    #expect(try user.rows().count == 2)
    #expect(server.requests(ending: "index.json") == 3)
    #expect(try user.rows("--offline").count == 2)
  }

  @Test("a cache with any bytes in it is nothing or what was written, never a crash")
  func cacheFuzz() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path + "/indexes")
    let good = Array("mpaas-index-cache 1\n[[\"APLog\",5],[\"UTDID\",3]]\n12345abc".utf8)
    try Data(good).write(to: file)
    let cache = IndexCache(folder: folder.path)
    #expect(cache.read().mapValues(\.array) == ["APLog": Array("12345".utf8), "UTDID": Array("abc".utf8)])
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(contentsOf: Array("18446744073709551615".utf8), at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
        }
        if bytes.isEmpty { bytes = [0x0a] }
      }
      try Data(bytes).write(to: file)
      for (_, index) in cache.read() { #expect(index.count <= bytes.count) }
    }
  }

  @Test("an index is skimmed for its newest version as it is read in full, or not at all")
  func skim() throws {
    let texts: [String: String?] = [
      #"{"format":1,"name":"A","releases":[]}"#: nil,
      #"{"format":1,"name":"A","releases":[{"version":"1.0"},{"version":"1.10"},{"version":"1.9"}]}"#: "1.10",
      #"{"format":1,"name":"A","releases":[{"version":"2.0-rc.1"},{"version":"1.0"}]}"#: "1.0",
      #"{"releases":[{"yanked":"","version":"2.0"},{"version":"1.0-a"}],"name":"A","format":1}"#: "1.0-a",
      #"{"releases":[{"yanked":"","version":"2.0"},{"yanked":"x","version":"1.0"}],"name":"A","format":1}"#: "2.0",
      #"{"format":1,"name":"A","releases":[{"version":"1.0","platforms":{"ios":"9"}}]}"#: "1.0",
    ]
    for (text, newest) in texts {
      let skim = Array(text.utf8).withUnsafeBytes { ModuleIndex.Skim($0) }
      #expect(skim?.name == "A", "\(text)")
      #expect(skim?.newest?.text == newest, "\(text)")
    }
    for text in [
      #"{"format":2,"name":"A","releases":[]}"#, #"{"format":1,"releases":[]}"#, "", "[]",
      #"{"format":1,"name":"A","releases":[{"version":"1.0","platforms":{"beos":"5"}}]}"#,
      #"{"format":1,"name":"A","releases":[{"version":"x"}]}"#, #"{"format":1,"name":"A","releases":[{"#,
    ] { #expect(Array(text.utf8).withUnsafeBytes { ModuleIndex.Skim($0) } == nil, "\(text)") }
  }

  @Test("modules of a delegated role are on the list, by its key alone")
  func delegated() throws {
    let registry = try SignedModules(Self.modules)
    let other = try SigningKey.generate()
    try registry.edit(with: [other]) { draft throws(TrustError) in
      try draft.delegate(.init("sdk-cart", paths: ["sdk/cart/*"], keys: [other.verificationKey]))
    }
    try registry.publish([.init("cart", "2.0")], role: "sdk-cart", with: [other])
    let user = try registry.user()
    #expect(try user.rows().compactMap { $0["name"] as? String } == ["APLog", "cart", "UTDID"])
    #expect(try user.mpaas("sdk", "download", "cart").status == 0)
    #expect(try user.rows("cart*").count == 1)
  }

  @Test("the first registry that has a module is the only one that is asked for it")
  func firstWins() throws {
    let first = try SignedModules(Self.modules)
    let second = try SignedModules([.init("APLog", "9.0"), .init("Other", "1.0")])
    let user = try first.user()
    try user.trust(second, as: "outer", at: [second.path])
    let rows = try user.rows()
    #expect(rows.compactMap { $0["remote"] as? String } == ["1.0.0", "1.0", "1.0.0"])
    #expect(rows.compactMap { $0["registry"] as? String } == ["main", "outer", "main"])
    #expect(try user.refusal("download", "APLog@9.0") == "module-version-unknown")
    #expect(try user.rows("--registry", "outer").first?["remote"] as? String == "9.0", "unless it is named")
  }
}
