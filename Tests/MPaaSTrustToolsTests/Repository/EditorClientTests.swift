import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The client over repositories of the editor") struct EditorClientTests {
  /// A client with a folder beside the repository, which trusts the first root.
  private func client(of sample: SampleRepository) throws -> RepositoryClient {
    let folder = sample.home.path + "/client"
    var client = RepositoryClient(
      metadataFolder: folder, fetch: try RepositoryFetch(mirrors: [sample.path], scratch: folder))
    try client.initialize(root: Bytes.reading(sample.path + "/metadata/1.root.json").array)
    return client
  }

  private func fetched(_ name: String, by client: inout RepositoryClient, _ sample: SampleRepository) throws -> String {
    let target = try #require(try client.target(name))
    let path = sample.home.path + "/fetched/" + PercentEncoding.fileName(name)
    _ = try client.download(target, to: path)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("targets are downloaded by their names, and it is told which were there already")
  func downloads() throws {
    let sample = try SampleRepository()
    for name in ["a", "b/c"] { try sample.add("content of \(name)", as: name) }
    var client = try client(of: sample)
    try client.refresh()
    let folder = sample.home.path + "/downloads"
    var seen: [String] = []
    for names in [["a"], ["a", "b/c"]] {
      try client.download(names, into: folder) { seen.append("\($0.name) \($1)") }
    }
    #expect(seen == ["a true", "a false", "b/c true"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    let error = #expect(throws: TrustError.self) { try client.download(["none"], into: folder) }
    #expect(error?.identifier == "target-missing")
  }

  @Test("two of three people: what they sign is fetched, also after all three keys were replaced one by one")
  func rotation() throws {
    let sample = try SampleRepository(people: 3, threshold: 2)
    var client = try client(of: sample)
    #expect(try sample.add("one", as: "files/a", keys: [sample.offline[0], sample.online]).published == [])
    try client.refresh()
    #expect(try client.target("files/a") == nil)
    #expect(try sample.editor.sign(with: [sample.offline[2], sample.online]).isComplete)
    try client.refresh()
    #expect(try fetched("files/a", by: &client, sample) == "one")
    var keys = sample.offline
    for place in 0..<3 {
      let next = try SigningKey.generate([.ed25519, .ecdsaP256, .rsaPSS][place])
      let rotation = KeyRotation(
        adding: [next.verificationKey], removing: [keys[place].verificationKey.keyID])
      let outcome = try sample.editor.edit(keys: keys + [next, sample.online]) { draft throws(TrustError) in
        for role in ["root", "targets"] { try draft.rotate(role, rotation) }
      }
      #expect(outcome.isComplete)
      keys[place] = next
      try client.refresh()
    }
    #expect(client.trusted?.root.version == 4)
    try sample.add("two", as: "files/a", keys: keys + [sample.online])
    try client.refresh()
    #expect(try fetched("files/a", by: &client, sample) == "two")
    #expect(try sample.add("three", as: "files/a", keys: sample.keys).published == [])
  }

  @Test("a delegated role vouches for its names until it is taken back")
  func delegation() throws {
    let sample = try SampleRepository()
    let team = try SigningKey.generate()
    var client = try client(of: sample)
    _ = try sample.editor.edit(keys: sample.keys + [team]) { draft throws(TrustError) in
      try draft.delegate(.init("team", paths: ["team/*.txt"], keys: [team.verificationKey]))
      try draft.add(.bytes(Array("ours".utf8)), as: "team/a.txt")
    }
    try client.refresh()
    #expect(try client.target("team/a.txt")?.role == "team")
    #expect(try fetched("team/a.txt", by: &client, sample) == "ours")
    #expect(try client.target("team/b/a.txt") == nil)
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in try draft.revoke("team") }
    try client.refresh()
    #expect(try client.target("team/a.txt") == nil)
  }

  @Test("every file is found in its hashed bin, listed or succinct", arguments: [false, true])
  func bins(isSuccinct: Bool) throws {
    let sample = try SampleRepository()
    var client = try client(of: sample)
    let names = (0..<40).map { "files/\($0)" }
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      let keys = [sample.online.verificationKey]
      try draft.delegate(.init("all", paths: ["files/*"], keys: keys))
      try draft.divide("all", into: 16, prefix: "bin", keys: keys, isSuccinct: isSuccinct)
      for name in names { try draft.add(.bytes(Array(name.utf8)), as: name) }
    }
    try client.refresh()
    for name in names {
      #expect(try client.target(name)?.role.hasPrefix("bin") == true)
      #expect(try fetched(name, by: &client, sample) == name)
    }
    #expect(try client.target("files/40") == nil)
  }

  @Test("the director vouches for rollouts and for nothing else")
  func director() throws {
    let sample = try SampleRepository()
    var client = try client(of: sample)
    try sample.add("rollout", as: "rollout/shop.json", role: "director", keys: [sample.online])
    try client.refresh()
    #expect(try client.target("rollout/shop.json")?.role == "director")
    #expect(try fetched("rollout/shop.json", by: &client, sample) == "rollout")
    #expect(throws: TrustError.self) {
      try sample.add("fix", as: "fix.mpatch", role: "director", keys: [sample.online])
    }
    try client.refresh()
    #expect(try client.target("fix.mpatch") == nil)
  }
}
