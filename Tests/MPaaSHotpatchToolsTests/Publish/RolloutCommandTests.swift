import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatchTools

/// The built command over a repository that the library made: what it changes is what clients then see.
@Suite("mpaas hotpatch over a repository") struct RolloutCommandTests {
  let repository: PublishedRepository

  init() throws {
    repository = try PublishedRepository()
    try repository.publish("1")
    try repository.publish("2")
  }

  func run(_ arguments: String...) throws -> (status: Int32, json: [String: Any], errors: String) {
    let outcome = try Command.run(
      "mpaas", ["hotpatch"] + arguments + ["--repository", repository.editor.folder.path, "--json"],
      environment: ["MPAAS_HOME": repository.home.path, "MPAAS_LANG": "en"])
    let object = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return (outcome.status, object as? [String: Any] ?? [:], outcome.errors)
  }

  @Test("status shows every version, the newest first, and what crash totals say without writing them")
  func status() throws {
    let file = repository.home.path + "/totals.json"
    let totals =
      #"{"baseline":{"per_million":2000},"patches":[{"patch":"cart","version":"2","sessions":1200,"crashes":30}]}"#
    try totals.write(toFile: file, atomically: true, encoding: .utf8)
    let before = try repository.publisher.document(app: Sample.app)
    let (status, json, _) = try run("status", "--statistics", file)
    let rollouts = try #require(json["rollouts"] as? [[String: Any]])
    #expect(status == 0)
    #expect(rollouts.map { $0["version"] as? String } == ["2", "1"])
    #expect(rollouts.map { $0["state"] as? String } == ["paused", "superseded"])
    #expect(try repository.publisher.document(app: Sample.app) == before)
  }

  @Test("totals change a rollout only where a key that was named for it signed them: for new installs, or everywhere")
  func signedTotals() throws {
    #expect(try repository.start().running == "2")
    let store = KeyStore(folder: repository.home.path + "/config/keys")
    let role = try #require(KeyRole(rawValue: "statistics"))
    _ = try store.generate("counter", roles: [role], passphrase: nil)
    _ = try store.generate("stranger", roles: [role], passphrase: nil)
    let (file, signed) = (repository.home.path + "/totals.json", repository.home.path + "/totals.dsse.json")
    func write(_ counts: String, population: Int, secondsAgo: Double = 10, app: String = Sample.app) throws {
      let time = MetadataTime.text(Date() - secondsAgo)
      let text = """
        {"schema":"mpaas-crash-totals/2","app":"\(app)","counted":"\(time)","population":\(population),\
        "baseline":{"per_million":2000},"patches":[{"patch":"cart","version":"2",\(counts)}]}
        """
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    func sign(_ key: String) throws {
      let outcome = try Command.run(
        "mpaas", ["hotpatch", "sign-totals", file, "--key", key, "--output", signed],
        environment: ["MPAAS_HOME": repository.home.path, "MPAAS_LANG": "en"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    func take(_ path: String) throws -> (status: Int32, json: [String: Any], errors: String) {
      try run("rollout", "--statistics", path, "--statistics-key", "counter", "--key", "online")
    }
    let before = try repository.publisher.document(app: Sample.app)
    // Fifty sessions and four crashes without a signature, which were enough once.
    let unsigned =
      #"{"baseline":{"per_million":2000},"patches":[{"patch":"cart","version":"2","sessions":50,"crashes":4}]}"#
    try unsigned.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try take(file).errors.contains("crash-totals-unsigned"))
    let lies = #""devices":50,"crashed":4"#
    try write(lies, population: 100_000)
    try sign("stranger")
    #expect(try take(signed).status == 77)
    try write(lies, population: 100_000, app: "com.example.bank")
    try sign("counter")
    #expect(try take(signed).errors.contains("patch-other-app"))
    try write(lies, population: 100_000, secondsAgo: 9 * 86_400)
    try sign("counter")
    #expect(try take(signed).errors.contains("crash-totals-old"))
    #expect(try repository.publisher.document(app: Sample.app) == before)
    #expect(try repository.start().running == "2")

    // Signed, but of few devices: no new device gets it, and a device that has it keeps it.
    try write(lies, population: 100_000)
    try sign("counter")
    let paused = try take(signed)
    #expect(paused.status == 0, "\(paused.errors)")
    #expect(paused.json["affected"] as? [String] == ["cart 2"], "\(paused.errors)")
    #expect(try repository.publisher.document(app: Sample.app)?.rollouts[1].state == .paused)
    #expect(try repository.start().running == "2")
    // A hundredth of the audience: no device runs it.
    try write(#""devices":1200,"crashed":30"#, population: 100_000, secondsAgo: 0)
    try sign("counter")
    #expect(try take(signed).json["affected"] as? [String] == ["cart 2"])
    #expect(try repository.publisher.document(app: Sample.app)?.rollouts[1].state == .halted)
    #expect(try repository.start().running == nil)
    // Totals that were counted before those are not taken.
    try write(#""devices":1100,"crashed":0"#, population: 100_000, secondsAgo: 100)
    try sign("counter")
    #expect(try take(signed).errors.contains("crash-totals-old"))
  }

  @Test("halt stops new installs only, or everywhere")
  func haltScopes() throws {
    #expect(try repository.start().running == "2")
    #expect(try run("halt", "--installs", "--everywhere", "--key", "online").status == 64)
    #expect(try run("halt", "--installs", "--reason", "looking", "--key", "online").status == 0)
    #expect(try repository.publisher.document(app: Sample.app)?.rollouts[1].state == .paused)
    #expect(try repository.start().running == "2")
    #expect(try run("halt", "--everywhere", "--key", "online").status == 0)
    #expect(try repository.start().running == nil)
  }

  @Test("rollout changes percentage, rules and lists, and the dry run tells who gets what and why")
  func rollout() throws {
    let change = try run(
      "rollout", "--percent", "12.5", "--rule", "city in Hangzhou|Shanghai", "--allow", "tester", "--deny", "user-1",
      "--reason", "careful", "--key", "online")
    #expect(change.status == 0, "\(change.errors)")
    let document = try #require(try repository.publisher.document(app: Sample.app))
    #expect(document.rollouts[1].basisPoints == 1250)
    #expect(document.rollouts[1].history.last?.reason == "careful")
    for (user, city, gets, refusal) in [
      ("tester", "Beijing", true, nil), ("user-1", "Hangzhou", false, "patch-not-for-this-device"),
      ("nobody", "Beijing", false, "patch-not-for-this-device"),
    ] as [(String, String, Bool, String?)] {
      let answer = try run("rollout", "--dry-run", "--user", user, "--city", city)
      #expect(answer.status == 0, "\(answer.errors)")
      let decisions = try #require(answer.json["decisions"] as? [[String: Any]])
      #expect(decisions.first?["offered"] as? Bool == gets)
      #expect(decisions.first?["refusal"] as? String == refusal)
      #expect((answer.json["gets"] as? [[String: Any]])?.count == (gets ? 1 : 0))
    }
    // The dry run with a change shows what would be, and writes nothing.
    let all = try run("rollout", "--dry-run", "--user", "x", "--city", "Hangzhou", "--percent", "100")
    #expect((all.json["gets"] as? [[String: Any]])?.count == 1)
    #expect(try repository.publisher.document(app: Sample.app) == document)
  }

  @Test("pause, resume, halt and rollback change what clients run, and history says why")
  func states() throws {
    #expect(try run("rollout", "--pause", "--key", "online").status == 0)
    #expect(try repository.start().running == nil)
    #expect(try run("rollout", "--pause", "--key", "online").status == 1)
    #expect(try run("rollout", "--resume", "--key", "online").status == 0)
    #expect(try repository.start().running == "2")
    #expect(try run("halt", "--reason", "by hand", "--key", "online").status == 0)
    #expect(try repository.start().running == nil)
    let back = try run("rollback", "--to", "1", "--reason", "wrong totals", "--key", "online")
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.json["affected"] as? [String] == ["cart 2"])
    #expect(try repository.start().running == "1")
    #expect(try run("rollback", "--to", "2", "--reason", "no", "--key", "online").status == 66)
    #expect(try run("rollback", "--to", "none", "--reason", "all", "--key", "online").status == 0)
    #expect(try repository.start().running == nil)
    let history = try run("history", "--patch", "cart")
    let changes = try #require(history.json["changes"] as? [[String: Any]])
    #expect(changes.compactMap { $0["reason"] as? String }.contains("wrong totals"))
    #expect(changes.compactMap { $0["change"] as? String }.contains("killed"))
  }

  @Test("a key that is none of the repository's changes nothing, and the answer is to try again")
  func otherKey() throws {
    let store = KeyStore(folder: repository.home.path + "/config/keys")
    _ = try store.generate("stranger", passphrase: nil)
    let before = try repository.start().running
    #expect(try run("halt", "--key", "stranger").status == 75)
    #expect(try repository.start().running == before)
    #expect(try run("halt").status == 64)
  }
}
