import Foundation
import MPaaSAge
import MPaaSStorage
import MPaaSTestSupport
import Testing

#if !canImport(ObjectiveC)
  @Suite("The keychain without a system's") struct KeychainTests {
    let folder: TemporaryFolder
    let keychain: Keychain

    init() throws {
      folder = try TemporaryFolder()
      keychain = try Keychain(domain: "app", folder: folder.path + "/secrets")
    }

    private func file(_ name: String) -> URL { folder.url.appending(path: "secrets/" + name) }

    @Test("keeps texts and bytes by domain and key, also for the next start")
    func values() throws {
      #expect(try keychain.read("token") == nil)
      try keychain.write("geheim é", forKey: "token")
      try keychain.write("another", forKey: "token", domain: "other")
      try keychain.write(data: [0, 255], forKey: "bytes")
      let next = try Keychain(domain: "app", folder: folder.path + "/secrets")
      #expect(try next.read("token") == "geheim é")
      #expect(try next.read("token", domain: "other") == "another")
      #expect(try next.data("bytes") == [0, 255])
      #expect(throws: StorageError.self) { try next.read("bytes") }
      #expect(try next.keys() == ["bytes", "token"])
      try next.write("new", forKey: "token")
      #expect(try keychain.read("token") == "new")
      try next.delete("token")
      try next.delete("token")
      #expect(try keychain.read("token") == nil)
      #expect(try next.keys(domain: "other") == ["token"])
    }

    @Test("has files that only their owner may read, with no secret in plain, which age opens")
    func files() throws {
      try keychain.write("plain secret", forKey: "token name")
      for name in ["keychain.age", "keychain.key"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      let bytes = try Data(contentsOf: file("keychain.age"))
      #expect(bytes.range(of: Data("plain secret".utf8)) == nil)
      #expect(bytes.range(of: Data("token name".utf8)) == nil)
      let key = try AgeIdentity.list(reading: String(contentsOf: file("keychain.key"), encoding: .utf8))
      let plain = try Array(bytes).withUnsafeBytes { try Age.decrypt($0, with: key, limit: 1 << 16) }
      #expect(String(decoding: plain, as: UTF8.self).contains(Data("plain secret".utf8).base64EncodedString()))
    }

    @Test("refuses a damaged file, another key and a missing one, and changes nothing then")
    func damage() throws {
      try keychain.write("secret", forKey: "k")
      let whole = try Data(contentsOf: file("keychain.age"))
      let key = try Data(contentsOf: file("keychain.key"))
      var random = SeededRandom(seed: 3)
      for _ in 0..<SeededRandom.rounds(or: 50) {
        var bytes = whole
        bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
        try bytes.write(to: file("keychain.age"))
        let error = #expect(throws: StorageError.self) { try keychain.read("k") }
        #expect(error?.identifier == "keychain-broken")
        #expect(throws: StorageError.self) { try keychain.write("new", forKey: "k") }
        #expect(try Data(contentsOf: file("keychain.age")) == bytes)
      }
      try whole.write(to: file("keychain.age"))
      try Data((AgeIdentity.generate().text ?? "").utf8).write(to: file("keychain.key"))
      #expect(throws: StorageError.self) { try keychain.read("k") }
      try FileManager.default.removeItem(at: file("keychain.key"))
      #expect(throws: StorageError.self) { try keychain.read("k") }
      #expect(throws: StorageError.self) { try keychain.write("new", forKey: "k") }
      try key.write(to: file("keychain.key"))
      #expect(try keychain.read("k") == "secret")
    }

    @Test("loses nothing of what several threads write at once")
    func threads() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let own = try Keychain(domain: "app", folder: folder.path + "/secrets")
            for round in 0..<5 { try own.write("\(round)", forKey: "\(number).\(round)") }
          }
        }
        try await group.waitForAll()
      }
      #expect(try keychain.keys().count == 40)
    }
  }
#endif
