import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The repository editor") struct EditorTests {
  @Test("names with the same letters in other bytes are not published beside each other, one by one or together")
  func twins() throws {
    let sample = try SampleRepository()
    let composed = "sdk/caf\u{e9}.zip", decomposed = "sdk/cafe\u{301}.zip"
    func add(_ names: String...) throws {
      _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
        var contents: ExactMap<TargetContent> = [:]
        for name in names { contents[name] = .bytes(Array(name.utf8)) }
        if let only = names.first, names.count == 1 {
          try draft.add(.bytes(Array(only.utf8)), as: only)
        } else {
          try draft.add(contents)
        }
      }
    }
    expectRefusal("target-name-twin", exit: .usage) { try add(composed, decomposed) }
    try add(composed, "sdk/other.zip")
    expectRefusal("target-name-twin", exit: .usage) { try add(decomposed) }
    expectRefusal("target-name-twin", exit: .usage) { try add(decomposed, "sdk/more.zip") }
    try add(composed)
    var draft = try sample.editor.read()
    #expect(try draft.allTargets().keys.sorted() == [composed, "sdk/other.zip"])
    #expect(try draft.target(decomposed) == nil)
    // A mark behind a slash makes one character of both; the parts are what they are all the same.
    expectRefusal("target-name", exit: .usage) { try add("../\u{301}x") }
    #expect(RepositoryFolder("r").target("a/\u{301}b", sha256: "0") == "r/targets/a/0.\u{301}b")
  }

  @Test("a new repository with one person is published at once and valid", arguments: SignatureScheme.allCases)
  func create(scheme: SignatureScheme) throws {
    let sample = try SampleRepository(scheme: scheme)
    #expect(try sample.problems() == [])
    let names = try FileSystem.names(in: sample.path + "/metadata")
    #expect(names == ["1.director.json", "1.root.json", "1.snapshot.json", "1.targets.json", "timestamp.json"])
    #expect(try FileSystem.names(in: sample.path + "/staged") == ["files"])
  }

  @Test("a second repository in the same folder is refused")
  func twice() throws {
    let sample = try SampleRepository()
    let plan = RepositoryEditor.Plan(
      offline: [sample.online.verificationKey], online: [sample.online.verificationKey])
    let error = #expect(throws: TrustError.self) { try sample.editor.create(plan, keys: sample.keys) }
    #expect(error?.identifier == "repository-exists")
  }

  @Test("a target is stored under its digest, replaced, and removed")
  func targets() throws {
    let sample = try SampleRepository()
    try sample.add("one", as: "patches/cart.mpatch")
    var draft = try sample.editor.read()
    let first = try #require(try draft.target("patches/cart.mpatch")?.file)
    #expect(first.length == 3)
    #expect(try draft.bytes(of: "patches/cart.mpatch")?.array == Array("one".utf8))
    let digest = try #require(first.digests.hexadecimal["sha256"])
    #expect(FileStatus(sample.path + "/targets/patches/\(digest).cart.mpatch")?.size == 3)
    let outcome = try sample.add("other", as: "patches/cart.mpatch")
    #expect(outcome.published.map(\.role) == ["targets", "snapshot", "timestamp"])
    #expect(outcome.published.map(\.version) == [3, 3, 3])
    #expect(try sample.problems() == [])
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.remove("patches/cart.mpatch")
    }
    draft = try sample.editor.read()
    #expect(try draft.target("patches/cart.mpatch") == nil)
    let error = #expect(throws: TrustError.self) {
      try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in try draft.remove("patches/cart.mpatch") }
    }
    #expect(error?.identifier == "target-unknown")
    #expect(try sample.problems() == [])
  }

  @Test(
    "a name that is no clean relative path is refused",
    arguments: [
      "", "/a", "a/", "a//b", "../a", "a/../b", ".", "a\\b", "a\nb", String(repeating: "x", count: 300),
    ])
  func names(_ name: String) throws {
    let sample = try SampleRepository()
    let error = #expect(throws: TrustError.self) { try sample.add("x", as: name) }
    #expect(error?.identifier == "target-name")
    #expect(try FileSystem.names(in: sample.path + "/staged") == ["files"])
  }

  @Test("two people of three sign one after the other; until then readers see the old state")
  func ceremony() throws {
    let sample = try SampleRepository(people: 3, threshold: 2)
    var outcome = try sample.add("fix", as: "a.mpatch", keys: [sample.offline[0]])
    #expect(outcome.published == [])
    #expect(outcome.pending.map(\.role) == ["targets"])
    #expect(outcome.pending[0].quorums[0].missing == 1)
    #expect(outcome.pending[0].added == ["a.mpatch"])
    #expect(try sample.problems() == [])
    #expect(RepositoryFolder.files(below: sample.path + "/targets") == [])
    // The second person's key alone: what the online keys have to sign waits.
    outcome = try sample.editor.sign(with: [sample.offline[2]])
    #expect(outcome.published == [])
    #expect(outcome.pending[0].isSigned)
    #expect(outcome.blocked.map(\.role) == ["snapshot", "timestamp"])
    outcome = try sample.editor.sign(with: [sample.online])
    #expect(outcome.published.map(\.role) == ["targets", "snapshot", "timestamp"])
    #expect(outcome.isComplete)
    #expect(try sample.problems() == [])
    #expect(try FileSystem.names(in: sample.path + "/staged") == ["files"])
    #expect(try FileSystem.names(in: sample.path + "/staged/files") == [])
  }

  @Test("a signature made over a copy of the staged file is taken over, one over something else is refused")
  func signaturesFromElsewhere() throws {
    let sample = try SampleRepository(people: 2, threshold: 2)
    try sample.add("fix", as: "a.mpatch", keys: [sample.offline[0]])
    let copy = sample.home.path + "/copy"
    try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
    _ = try RepositoryEditor(copy).sign(with: [sample.offline[1]])
    let sent = try Bytes.reading(copy + "/staged/targets.json")
    let outcome = try sample.editor.edit(keys: [sample.online]) { draft throws(TrustError) in
      try draft.takeSignatures(from: sent, role: "targets")
    }
    #expect(outcome.isComplete)
    #expect(outcome.published.count == 3)
    try sample.add("next", as: "b.mpatch", keys: [sample.offline[0]])
    let error = #expect(throws: TrustError.self) {
      try sample.editor.edit(keys: []) { draft throws(TrustError) in
        try draft.takeSignatures(from: sent, role: "targets")
      }
    }
    #expect(error?.identifier == "staged-differs")
  }

  @Test("the same person's signature counts once")
  func samePerson() throws {
    let sample = try SampleRepository(people: 2, threshold: 2)
    try sample.add("fix", as: "a.mpatch", keys: [sample.offline[0], sample.offline[0], sample.online])
    let outcome = try sample.editor.sign(with: [sample.offline[0], sample.online])
    #expect(outcome.published == [])
    #expect(outcome.pending[0].quorums[0].missing == 1)
  }

  @Test("a delegated role signs its own names, and no others")
  func delegation() throws {
    let sample = try SampleRepository()
    let team = try SigningKey.generate(.ecdsaP256)
    let role = RepositoryDraft.NewRole("sdk-cart", paths: ["sdk/cart/*"], keys: [team.verificationKey])
    var outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in try draft.delegate(role) }
    // Without the team's first signature readers would find no metadata of the role.
    #expect(outcome.published == [])
    #expect(outcome.pending.map(\.role) == ["targets", "sdk-cart"])
    outcome = try sample.editor.sign(with: [team, sample.online])
    #expect(outcome.published.map(\.role) == ["sdk-cart", "targets", "snapshot", "timestamp"])
    outcome = try sample.add("zip", as: "sdk/cart/1.zip", keys: [team, sample.online])
    #expect(outcome.published.map(\.role) == ["sdk-cart", "snapshot", "timestamp"])
    let error = #expect(throws: TrustError.self) {
      try sample.add("zip", as: "sdk/other/1.zip", role: "sdk-cart", keys: [team, sample.online])
    }
    #expect(error?.identifier == "target-not-covered")
    #expect(try sample.problems() == [])
    outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in try draft.revoke("sdk-cart") }
    #expect(outcome.isComplete)
    #expect(try sample.problems() == [])
    var draft = try sample.editor.read()
    #expect(try draft.target("sdk/cart/1.zip") == nil)
    #expect(draft.snapshot?.body.meta["sdk-cart.json"] != nil, "clients refuse a snapshot that loses a role")
  }

  @Test("hashed bins hold every target once, told one by one or in one entry", arguments: [false, true])
  func bins(isSuccinct: Bool) throws {
    let sample = try SampleRepository()
    let role = RepositoryDraft.NewRole("sdk", paths: ["sdk/*"], keys: [sample.online.verificationKey])
    _ = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.delegate(role)
      for number in 0..<40 { try draft.add(.bytes(Array("\(number)".utf8)), as: "sdk/\(number).zip") }
    }
    let outcome = try sample.editor.edit(keys: sample.keys) { draft throws(TrustError) in
      try draft.divide(
        "sdk", into: 32, prefix: "sdk-bin", keys: [sample.online.verificationKey], isSuccinct: isSuccinct)
      try draft.add(.bytes(Array("new".utf8)), as: "sdk/new.zip")
    }
    #expect(outcome.isComplete)
    #expect(outcome.published.count == 35)
    #expect(try sample.problems() == [])
    var draft = try sample.editor.read()
    #expect(try draft.allTargets().count == 41)
    #expect(try draft.body(of: "sdk")?.targets.isEmpty == true)
    #expect(try draft.target("sdk/7.zip")?.role.hasPrefix("sdk-bin-") == true)
    // One more target touches one bin.
    #expect(try sample.add("more", as: "sdk/more.zip").published.count == 3)
  }

  @Test("timestamp is renewed every time, snapshot and director in the second half of their time, targets never")
  func refresh() throws {
    let start = Date(timeIntervalSince1970: 1_900_000_000)
    let sample = try SampleRepository(now: start)
    func refresh(after hours: Double, all: Bool = false) throws -> [String] {
      var editor = sample.editor
      editor.now = { start.addingTimeInterval(hours * 3600) }
      return try editor.refresh(with: [sample.online], all: all).published.map(\.role)
    }
    #expect(try refresh(after: 1) == ["timestamp"])
    #expect(try refresh(after: 24 * 4) == ["director", "snapshot", "timestamp"])
    #expect(try refresh(after: 24 * 4 + 1) == ["timestamp"])
    #expect(try refresh(after: 24 * 4 + 2, all: true) == ["director", "snapshot", "timestamp"])
    #expect(try sample.problems(at: start.addingTimeInterval(24 * 4 * 3600)) == [])
    let late = try sample.problems(at: start.addingTimeInterval(24 * 7 * 3600))
    #expect(late.filter { $0.kind == .expired }.map(\.subject) == ["timestamp.json"])
    let soon = try sample.problems(at: start.addingTimeInterval(24 * 80 * 3600))
    #expect(soon.contains { $0.kind == .expiresSoon && $0.subject == "1.targets.json" })
  }

  @Test("what newer versions replaced is collected, roots and what is in use stay")
  func collect() throws {
    let sample = try SampleRepository()
    for number in 0..<4 { try sample.add("\(number)", as: "a/b.mpatch") }
    #expect(try sample.editor.collect(unchangedFor: 3600) == [])
    let trial = try sample.editor.collect(unchangedFor: 0, dryRun: true)
    #expect(trial.filter { $0.path.hasPrefix("targets/") }.count == 3)
    #expect(trial.count == 3 + 4 + 4)
    #expect(try sample.editor.collect(unchangedFor: 0) == trial)
    #expect(try sample.problems() == [])
    #expect(try FileSystem.names(in: sample.path + "/metadata").count == 5)
  }

  @Test("editors in several threads wait for each other")
  func concurrent() async throws {
    let sample = try SampleRepository()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 { group.addTask { try sample.add("\(number)", as: "\(number).mpatch") } }
      try await group.waitForAll()
    }
    var draft = try sample.editor.read()
    #expect(try draft.allTargets().count == 8)
    #expect(try sample.problems() == [])
  }

  @Test("the check finds what is changed, missing, left over, and badly signed")
  func check() throws {
    let sample = try SampleRepository()
    try sample.add("one", as: "one.mpatch")
    try sample.add("two", as: "two.mpatch")
    let files = RepositoryFolder.files(below: sample.path + "/targets")
    try Data("onf".utf8).write(to: URL(filePath: sample.path + "/targets/" + files[0]))
    try FileManager.default.removeItem(atPath: sample.path + "/targets/" + files[1])
    try Data("stray".utf8).write(to: URL(filePath: sample.path + "/targets/stray"))
    var check = RepositoryCheck(sample.editor.folder, now: Date())
    try check.run()
    let kinds = Set(check.findings.map(\.kind))
    #expect(kinds == [.targetChanged, .targetMissing, .orphan, .weakThreshold])
    // Every byte of the timestamp is vouched for.
    let path = URL(filePath: sample.path + "/metadata/timestamp.json")
    let good = try Data(contentsOf: path)
    var random = SeededRandom(seed: 7)
    for _ in 0..<50 {
      var bad = good
      let place = Int.random(in: 0..<bad.count, using: &random)
      bad[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try bad.write(to: path)
      #expect(
        try sample.problems().contains { ["timestamp.json", "3.snapshot.json"].contains($0.subject) }, "\(place)")
    }
  }
}

extension EditorTests {
  @Test("a reader at any moment sees a valid repository while others change it")
  func readerMeanwhile() async throws {
    let sample = try SampleRepository()
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for number in 0..<12 { try sample.add("content \(number)", as: "\(number % 3).mpatch") }
        return 0
      }
      group.addTask {
        var looks = 0
        // Once at least: on a busy machine the changes may be over before the first look.
        repeat {
          #expect(try sample.problems() == [])
          looks += 1
        } while try sample.editor.read().timestamp?.body.header.version ?? 0 < 13
        return looks
      }
      let looks = try await group.reduce(0, +)
      #expect(looks > 0)
    }
  }
}

extension EditorTests {
  @Test("what is staged, published or set up and then damaged is refused or found, and never ends the program")
  func damaged() throws {
    let sample = try SampleRepository(people: 2, threshold: 2)
    try sample.add("one", as: "one.mpatch")
    try sample.add("two", as: "two.mpatch", keys: [sample.offline[0]])
    var random = SeededRandom(seed: 21)
    let files = ["registry.json", "staged/targets.json", "metadata/timestamp.json", "metadata/2.targets.json"]
    for _ in 0..<SeededRandom.rounds(or: 200) {
      let path = URL(filePath: sample.path + "/" + files.randomElement(using: &random)!)
      let good = try Data(contentsOf: path)
      var bad = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bad.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bad[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bad.remove(at: place)
        default: bad.insert(contentsOf: bad.prefix(place), at: place)
        }
      }
      try bad.write(to: path)
      var draft = try? sample.editor.read()
      _ = try? draft?.pending()
      var check = RepositoryCheck(sample.editor.folder, now: Date())
      try? check.run()
      try good.write(to: path)
    }
    #expect(try sample.problems() == [])
  }
}
