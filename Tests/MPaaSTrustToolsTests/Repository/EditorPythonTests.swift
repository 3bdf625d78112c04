import Foundation
import MPaaSHTTPServer
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransferTools
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// python-tuf as the client of our repositories: what it accepts and what it refuses.
@Suite("Repositories that python-tuf reads", .pythonPeers) struct EditorPythonTests {
  /// A client that keeps what it learned between its runs.
  struct Client {
    struct Answer {
      let error: String?
      let targets: [String: String]
    }

    let folder: TemporaryFolder
    let server: HTTPServer

    init(of sample: SampleRepository) throws {
      folder = try TemporaryFolder()
      server = try HTTPServer(listen: "127.0.0.1:0", handler: sample.editor.folder.served.answer)
      try FileManager.default.copyItem(
        atPath: sample.path + "/metadata/1.root.json", toPath: folder.path + "/trusted.json")
    }

    static let script = """
      import json, os, sys
      from tuf.ngclient import Updater
      from tuf.api.exceptions import RepositoryError, DownloadError
      folder, url, names = sys.argv[1], sys.argv[2], sys.argv[3:]
      os.makedirs(folder + "/metadata", exist_ok=True)
      os.makedirs(folder + "/targets", exist_ok=True)
      answer = {"targets": {}}
      try:
          updater = Updater(folder + "/metadata", url + "/metadata/", folder + "/targets", url + "/targets/",
                            bootstrap=open(folder + "/trusted.json", "rb").read())
          updater.refresh()
          for name in names:
              info = updater.get_targetinfo(name)
              if info is not None:
                  answer["targets"][name] = open(updater.download_target(info)).read()
      except (RepositoryError, DownloadError) as error:
          answer["error"] = type(error).__name__
      print(json.dumps(answer))
      """

    func get(_ names: String...) throws -> Answer {
      let outcome = try Command.run(
        Fixture.python, ["-c", Self.script, folder.path, server.url] + names,
        environment: ["no_proxy": "127.0.0.1"])
      let object = try #require(
        try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.errors)")
      return Answer(error: object["error"] as? String, targets: object["targets"] as? [String: String] ?? [:])
    }
  }

  @Test("a plain one: a target with custom members, with spaces, below folders, replaced and removed")
  func plain() throws {
    let sample = try SampleRepository()
    let client = try Client(of: sample)
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.add(.bytes(Array("one".utf8)), as: "a/b/one file.mpatch", custom: ["version": "8.1", "n": 3])
    }
    try sample.add("two", as: "two")
    var answer = try client.get("a/b/one file.mpatch", "two", "three")
    #expect(answer.error == nil)
    #expect(answer.targets == ["a/b/one file.mpatch": "one", "two": "two"])
    try sample.add("new", as: "two")
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.remove("a/b/one file.mpatch")
    }
    answer = try client.get("a/b/one file.mpatch", "two")
    #expect(answer.error == nil)
    #expect(answer.targets == ["two": "new"])
  }

  @Test("keys of all kinds", arguments: [SignatureScheme.ecdsaP256, .rsaPSS])
  func schemes(scheme: SignatureScheme) throws {
    let sample = try SampleRepository(scheme: scheme)
    try sample.add("x", as: "x")
    #expect(try Client(of: sample).get("x").targets == ["x": "x"])
  }

  @Test("a new root key, step by step over three roots, also for a client that slept through them")
  func rootRotation() throws {
    let sample = try SampleRepository()
    let awake = try Client(of: sample)
    let asleep = try Client(of: sample)
    #expect(try awake.get().error == nil)
    var last = sample.offline[0]
    for _ in 0..<3 {
      let next = try SigningKey.generate()
      let outcome = try sample.editor.edit(keys: [last, next, sample.online]) { draft throws(TrustError) in
        try draft.rotate(
          "root", KeyRotation(adding: [next.verificationKey], removing: [last.verificationKey.keyID]))
      }
      #expect(outcome.isComplete)
      #expect(outcome.published.map(\.role) == ["root"])
      last = next
      #expect(try awake.get().error == nil)
    }
    #expect(try asleep.get().error == nil)
    #expect(try sample.problems() == [])
  }

  @Test("a new key of targets; what the old one signed is refused then")
  func targetsRotation() throws {
    let sample = try SampleRepository()
    try sample.add("x", as: "x")
    let client = try Client(of: sample)
    let next = try SigningKey.generate(.ecdsaP256)
    var outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.rotate(
        "targets", KeyRotation(adding: [next.verificationKey], removing: [sample.offline[0].verificationKey.keyID]))
    }
    // The next targets wait for the new key, with the root that names it.
    #expect(outcome.published == [])
    #expect(outcome.pending.map(\.role) == ["root", "targets"])
    #expect(try sample.add("w", as: "w").published.map(\.role) == ["targets", "snapshot", "timestamp"])
    #expect(try client.get("x").targets == ["x": "x"])
    outcome = try sample.editor.sign(with: [next] + sample.keys)
    #expect(outcome.isComplete, "\(outcome)")
    #expect(try client.get("x").targets == ["x": "x"])
    #expect(try sample.add("y", as: "y", keys: sample.keys).published == [])
    #expect(try client.get("x", "y").targets == ["x": "x"])
    #expect(try sample.add("y", as: "y", keys: [next, sample.online]).isComplete)
    #expect(try client.get("x", "y").targets == ["x": "x", "y": "y"])
    #expect(try sample.problems() == [])
  }

  @Test("new keys of snapshot and timestamp, with the old ones at hand and without")
  func onlineRotation() throws {
    let sample = try SampleRepository()
    let client = try Client(of: sample)
    #expect(try client.get().error == nil)
    var last = sample.online
    for hasOld in [true, false] {
      let next = try SigningKey.generate()
      let rotation = KeyRotation(adding: [next.verificationKey], removing: [last.verificationKey.keyID])
      let keys = sample.offline + (hasOld ? [last, next] : [next])
      let outcome = try sample.editor.edit(keys: keys) { draft throws(TrustError) in
        for role in ["snapshot", "timestamp", "director"] { try draft.rotate(role, rotation) }
      }
      #expect(outcome.isComplete, "\(outcome)")
      #expect(try client.get().error == nil)
      #expect(try sample.problems() == [])
      last = next
    }
    #expect(try sample.editor.refresh(with: [sample.online]).blocked.map(\.role) == ["timestamp"])
  }

  @Test("a delegation, and one below it, each with keys of its own")
  func delegations() throws {
    let sample = try SampleRepository()
    let (team, member) = (try SigningKey.generate(), try SigningKey.generate(.rsaPSS))
    _ = try sample.editor.edit(keys: sample.keys + [team, member]) { draft throws(TrustError) in
      try draft.delegate(.init("sdk", paths: ["sdk/*", "sdk/*/*"], keys: [team.verificationKey]))
      try draft.delegate(.init("sdk-cart", paths: ["sdk/cart/*"], keys: [member.verificationKey]), from: "sdk")
    }
    try sample.add("top", as: "sdk/list", keys: [team, sample.online])
    let outcome = try sample.add("zip", as: "sdk/cart/1.zip", keys: [member, sample.online])
    #expect(outcome.published.first?.role == "sdk-cart")
    #expect(
      try Client(of: sample).get("sdk/list", "sdk/cart/1.zip").targets == ["sdk/list": "top", "sdk/cart/1.zip": "zip"])
  }

  @Test("a terminating role keeps names from those after it")
  func terminating() throws {
    let sample = try SampleRepository()
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      let key = [sample.online.verificationKey]
      try draft.delegate(.init("first", paths: ["p/*"], keys: key, isTerminating: true))
      try draft.delegate(.init("second", paths: ["p/*"], keys: key))
      try draft.add(.bytes([0x31]), as: "p/1", role: "first")
      try draft.add(.bytes([0x32]), as: "p/2", role: "second")
    }
    #expect(try Client(of: sample).get("p/1", "p/2").targets == ["p/1": "1"])
    #expect(try sample.problems().map(\.kind) == [.targetNotCovered])
  }

  @Test("two of three: enough signatures are accepted, one is not published and one smuggled in is refused")
  func threshold() throws {
    let sample = try SampleRepository(people: 3, threshold: 2)
    let client = try Client(of: sample)
    try sample.add("x", as: "x", keys: [sample.offline[0], sample.offline[2], sample.online])
    #expect(try client.get("x").targets == ["x": "x"])
    try sample.add("y", as: "y", keys: [sample.offline[1], sample.online])
    #expect(try client.get("y").targets == [:])
    // A mirror that takes one signature away.
    let path = URL(filePath: sample.path + "/metadata/2.targets.json")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let weak = text.replacing(/\{"keyid":"[0-9a-f]+","sig":"[0-9a-f]+"\},/, with: "", maxReplacements: 1)
    #expect(weak != text)
    try Data(weak.utf8).write(to: path)
    #expect(try Client(of: sample).get("x").error != nil)
    #expect(try sample.problems().map(\.kind).contains(.belowThreshold))
  }

  @Test("root below the threshold is refused")
  func rootBelowThreshold() throws {
    let sample = try SampleRepository(people: 3, threshold: 2)
    let client = try Client(of: sample)
    let outcome = try sample.editor.edit(keys: [sample.offline[0]]) { draft throws(TrustError) in
      try draft.renew("root")
    }
    #expect(outcome.published == [])
    #expect(outcome.pending.map(\.role) == ["root"])
    #expect(try client.get().error == nil)
    try FileManager.default.copyItem(
      atPath: sample.path + "/staged/root.json", toPath: sample.path + "/metadata/2.root.json")
    #expect(try client.get().error == "UnsignedMetadataError")
    #expect(try sample.problems().map(\.kind) == [.belowThreshold, .belowThreshold])
  }

  @Test("an expired timestamp is refused, and accepted again once it is renewed")
  func expired() throws {
    let sample = try SampleRepository(now: Date().addingTimeInterval(-2 * 86_400))
    let client = try Client(of: sample)
    #expect(try client.get().error == "ExpiredMetadataError")
    #expect(try sample.problems().map(\.kind) == [.expired])
    var editor = sample.editor
    editor.now = { Date() }
    _ = try editor.refresh(with: [sample.online])
    #expect(try client.get().error == nil)
  }

  @Test("hashed bins, told one by one or in one entry", arguments: [false, true])
  func bins(isSuccinct: Bool) throws {
    let sample = try SampleRepository()
    let key = [sample.online.verificationKey]
    let outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.delegate(.init("sdk", paths: ["sdk/*"], keys: key))
      for number in 0..<30 { try draft.add(.bytes(Array("\(number)".utf8)), as: "sdk/\(number).zip") }
      try draft.divide("sdk", into: 16, prefix: "bin", keys: key, isSuccinct: isSuccinct)
    }
    #expect(outcome.isComplete)
    let answer = try Client(of: sample).get("sdk/0.zip", "sdk/13.zip", "sdk/29.zip", "sdk/30.zip")
    #expect(answer.targets == ["sdk/0.zip": "0", "sdk/13.zip": "13", "sdk/29.zip": "29"])
  }

  @Test("the director signs what is its own, and nothing else of it counts")
  func director() throws {
    let sample = try SampleRepository()
    let outcome = try sample.add("{}", as: "rollout/shop.json", keys: [sample.online])
    #expect(outcome.published.map(\.role) == ["director", "snapshot", "timestamp"])
    let client = try Client(of: sample)
    #expect(try client.get("rollout/shop.json").targets == ["rollout/shop.json": "{}"])
    // A thief who has the online key alone cannot offer a patch.
    #expect(try sample.add("evil", as: "patches/x.mpatch", keys: [sample.online]).published == [])
    _ = try sample.editor.edit(keys: [sample.online]) { draft throws(TrustError) in
      try draft.change("director") { body in
        body.targets["patches/y.mpatch"] = TargetFile(length: 2, digests: .sha256(of: Data("{}".utf8)))
      }
      try draft.add(.bytes(Array("{}".utf8)), as: "rollout/other.json")
    }
    #expect(try client.get("patches/x.mpatch", "patches/y.mpatch").targets == [:])
  }

  @Test("a client between two states sees one of them whole, after the collection too")
  func consistentSnapshots() throws {
    let sample = try SampleRepository()
    try sample.add("1", as: "x")
    let client = try Client(of: sample)
    let timestamp = try Data(contentsOf: URL(filePath: sample.path + "/metadata/timestamp.json"))
    try sample.add("2", as: "x")
    let newest = try Data(contentsOf: URL(filePath: sample.path + "/metadata/timestamp.json"))
    // A cache that is late.
    try timestamp.write(to: URL(filePath: sample.path + "/metadata/timestamp.json"))
    #expect(try client.get("x").targets == ["x": "1"])
    try newest.write(to: URL(filePath: sample.path + "/metadata/timestamp.json"))
    _ = try sample.editor.collect(unchangedFor: 0)
    #expect(try client.get("x").targets == ["x": "2"])
    #expect(try Client(of: sample).get("x").targets == ["x": "2"])
  }
}
