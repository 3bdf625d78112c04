import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("Names that only look the same", .pythonPeers) struct ExactNamesTests {
  @Test("are different targets and roles of a repository that python-tuf wrote")
  func reader() throws {
    let place = try TemporaryFolder()
    let script = place.url.appending(path: "scenario.py")
    let body = """
      begin(); write("root")
      targets.signed.delegations = Delegations({}, roles={})
      for name, paths in (("r\\u00e9", ["one/*"]), ("re\\u0301", ["two/*"])):
          signers[name] = [new["ed25519"]()]; roles[name] = Metadata(Targets(expires=late))
          targets.signed.delegations.roles[name] = DelegatedRole(name, [], 1, False, paths)
          targets.signed.add_key(signers[name][0].public_key, name)
      offer("targets", "caf\\u00e9", b"composed"); offer("targets", "cafe\\u0301", b"decomposed")
      offer("r\\u00e9", "one/x", b"one"); offer("re\\u0301", "two/x", b"two")
      finish("r\\u00e9", "re\\u0301")
      """
    try (PythonPeerTests.prelude + body).write(to: script, atomically: true, encoding: .utf8)
    let address = place.path + "/repository"
    let outcome = try Command.run(Fixture.python, [script.path, address])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let folder = TemporaryMetadata()
    var client = RepositoryClient(
      metadataFolder: folder.path, fetch: try RepositoryFetch(mirrors: [address], scratch: folder.path))
    try client.initialize(root: Array(Data(contentsOf: URL(filePath: address + "/metadata/1.root.json"))))
    let contents = [
      ("caf\u{e9}", "composed"), ("cafe\u{301}", "decomposed"), ("one/x", "one"), ("two/x", "two"),
    ]
    for (number, (name, content)) in contents.enumerated() {
      let target = try #require(try client.target(name), "\(name)")
      #expect(Array(target.name.utf8) == Array(name.utf8))
      let path = folder.path + "/out/\(number)"
      #expect(try client.download(target, to: path))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }
    #expect(try client.targets(under: "").count == 4)
  }
}
