import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("What a client of a repository refuses") struct ClientWorkflowTests {
  @Test("refusal 33: an expired timestamp is a frozen one; what was trusted stays")
  func frozen() throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    repository.timestamp.header.expires = TestRepository.start - 60
    try repository.publish("timestamp")
    let before = folder.content
    expectRefusal("timestamp-frozen") { try client.refresh() }
    #expect(folder.content == before)
    // The same one, a month later.
    var later = try repository.client(folder, at: TestRepository.start + 31 * 86_400)
    expectRefusal("metadata-expired") { try later.refresh() }
    repository.root.header.expires = TestRepository.start + 90 * 86_400
    try repository.publish("root")
    expectRefusal("timestamp-frozen") { try later.refresh() }
  }

  @Test(
    "expired snapshot and targets are refused, each after what was right before it is kept",
    arguments: ["snapshot", "targets"])
  func expired(role: String) throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    if role == "snapshot" {
      repository.snapshot.header.expires = TestRepository.start - 1
    } else {
      repository.targets["targets"]?.header.expires = TestRepository.start - 1
    }
    try repository.publish("targets", "snapshot", "timestamp")
    expectRefusal("metadata-expired") { try client.refresh() }
    #expect(folder.versions == ["root": 1, "timestamp": 2, "snapshot": role == "snapshot" ? 1 : 2, "targets": 1])
  }

  @Test("refusal 35: a snapshot or targets file of another moment is refused", arguments: ["snapshot", "targets"])
  func mixAndMatch(role: String) throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    try repository.publish("targets", "snapshot", "timestamp")
    // The former file, properly signed, under the new name.
    repository.served["metadata/3.\(role).json"] = repository.served["metadata/2.\(role).json"]
    expectRefusal("metadata-mix-and-match") { try client.refresh() }
    #expect(folder.versions[role] == 2)
  }

  @Test(
    "refusal 36: versions that a thief drove up bind nobody once keys were rotated",
    arguments: ["timestamp", "snapshot", "targets"])
  func fastForward(role: String) throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    repository.timestamp.header.version = 1000
    if role != "timestamp" { repository.snapshot.header.version = 1000 }
    if role == "targets" { repository.targets["targets"]?.header.version = 1000 }
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    repository.timestamp.header.version = 1
    repository.snapshot.header.version = 1
    repository.targets["targets"]?.header.version = 1
    try repository.publish("targets", "snapshot", "timestamp")
    let before = folder.content
    expectRefusal("metadata-rollback") { try client.refresh() }
    #expect(folder.content == before)
    try repository.rotate(.timestamp)
    if role != "timestamp" { try repository.rotate(.snapshot) }
    try repository.publish("root", "targets", "snapshot", "timestamp")
    try client.refresh()
    #expect(folder.versions == ["root": 2, "timestamp": 3, "snapshot": 3, "targets": 3])
  }

  @Test("refusal 37: root 3 in the place of root 2 is refused")
  func rootSkipped() throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    try repository.publish("root", "root")
    repository.served["metadata/2.root.json"] = repository.served["metadata/3.root.json"]
    let before = folder.content
    expectRefusal("root-version-skipped") { try client.refresh() }
    #expect(folder.content == before)
  }

  @Test("refusal 38: a root that enough of the old keys did not sign is refused")
  func rootBelowThreshold() throws {
    var repository = try TestRepository(threshold: 2)
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    try repository.rotateRoot(threshold: 2)
    // Both new keys, and one of the two old ones.
    repository.signers["root"]?.removeLast()
    try repository.publish("root")
    let before = folder.content
    expectRefusal("root-below-threshold") { try client.refresh() }
    #expect(folder.content == before)
  }

  @Test("a root that its own keys did not sign is refused")
  func rootBelowOwnThreshold() throws {
    var repository = try TestRepository(threshold: 2)
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try repository.rotateRoot(threshold: 2)
    repository.signers["root"]?.removeFirst()
    try repository.publish("root")
    expectRefusal("metadata-below-threshold") { try client.refresh() }
    #expect(folder.versions == ["root": 1])
  }

  @Test("a chain of roots is followed one by one, and an expired one in the middle is no harm")
  func rootChain() throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    for round in 0..<5 {
      try repository.rotateRoot()
      repository.root.header.expires = TestRepository.start + (round == 2 ? -1 : 1) * 86_400
      try repository.publish("root")
      repository.signers["root"]?.removeLast()
    }
    try client.refresh()
    #expect(folder.versions["root"] == 6)
    repository.root.header.expires = TestRepository.start
    try repository.publish("root")
    expectRefusal("metadata-expired") { try client.refresh() }
    // An expired root is followed all the same: the next one may be fine.
    #expect(folder.versions["root"] == 7)
  }

  @Test("older versions are refused, of each role", arguments: ["timestamp", "snapshot", "targets"])
  func rollback(role: String) throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try repository.publish("targets", "snapshot", "timestamp")
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    let before = folder.versions
    switch role {
    case "timestamp": repository.timestamp.header.version -= 2
    case "snapshot": repository.snapshot.header.version -= 2
    default: repository.targets["targets"]?.header.version -= 2
    }
    try repository.publish(
      role == "targets"
        ? ["targets", "snapshot", "timestamp"] : role == "snapshot" ? ["snapshot", "timestamp"] : ["timestamp"])
    expectRefusal("metadata-rollback") { try client.refresh() }
    #expect(folder.versions[role] == before[role])
  }

  @Test("a role that disappears from the snapshot is refused")
  func removed() throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try repository.delegate("team")
    try repository.publish("team", "targets", "snapshot", "timestamp")
    try client.refresh()
    repository.snapshot.meta["team.json"] = nil
    try repository.publish("snapshot", "timestamp")
    expectRefusal("metadata-role-removed") { try client.refresh() }
    #expect(folder.versions["snapshot"] == 2)
  }

  @Test("files that are not those of the announced digest are refused", arguments: ["snapshot", "targets"])
  func digests(role: String) throws {
    var repository = try TestRepository()
    repository.namesDigests = true
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    try repository.publish("targets", "snapshot", "timestamp")
    let name = "metadata/3.\(role).json"
    repository.served[name]?.append(UInt8(ascii: "\n"))
    // One byte more than the length that is named is not even taken.
    expectRefusal("metadata-too-large") { try client.refresh() }
    let bytes = try #require(repository.served[name])
    repository.served[name] = Array(String(decoding: bytes.dropLast(), as: UTF8.self).utf8.dropLast())
    expectRefusal("metadata-digest-mismatch") { try client.refresh() }
    #expect(folder.versions[role] == 2)
  }

  @Test("metadata without end is refused by its limit")
  func endless() throws {
    var repository = try TestRepository()
    let folder = TemporaryMetadata()
    var limits = RepositoryLimits()
    limits.timestamp = 2000
    var client = try repository.client(folder, limits: limits)
    repository.served["metadata/timestamp.json"]? += [UInt8](repeating: 0x20, count: 2000)
    expectRefusal("metadata-too-large") { try client.refresh() }
    try repository.publish("timestamp")
    try client.refresh()
  }

  @Test("one key under two identifiers counts once, and a threshold of 0 is no threshold")
  func thresholds() throws {
    let repository = try TestRepository()
    let key = try #require(repository.signers["timestamp"]?.first)
    let keyID = key.verificationKey.keyID
    var text = String(decoding: try repository.sign(repository.root, "root"), as: UTF8.self)
    text = text.replacing("\"threshold\":1", with: "\"threshold\":0")
    #expect(throws: TrustError.self) { try TrustedMetadata(root: Array(text.utf8), start: TestRepository.start) }
    // Both names in the root, both signatures in the timestamp.
    var root = repository.root.signed.object ?? [:]
    var keys = root["keys"]?.object ?? [:]
    keys["alias"] = keys[keyID]
    root["keys"] = .object(keys)
    var roles = root["roles"]?.object ?? [:]
    roles["timestamp"] = ["keyids": [.string(keyID), "alias"], "threshold": 2]
    root["roles"] = .object(roles)
    let body = try RootMetadata(signed: .object(root))
    var trusted = try TrustedMetadata(root: repository.sign(body, "root"), start: TestRepository.start)
    var timestamp = try SignedMetadata(repository.timestamp)
    try timestamp.sign(with: key)
    timestamp.signatures.append(.init(keyID: "alias", value: timestamp.signatures[0].value))
    let bytes = timestamp.encoded
    expectRefusal("metadata-below-threshold") { _ = try trusted.update(timestamp: bytes) }
  }

  @Test("a clock set back below the last refresh is refused, unless the client is told not to care")
  func clock() throws {
    let repository = try TestRepository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    var slightly = try repository.client(folder, at: TestRepository.start - 100)
    try slightly.refresh()
    let before = folder.content
    var early = try repository.client(folder, at: TestRepository.start - 86_400)
    expectRefusal("clock-set-back") { try early.refresh() }
    #expect(folder.content == before)
    var limits = RepositoryLimits()
    limits.refusesClockSetBack = false
    var careless = try repository.client(folder, at: TestRepository.start - 86_400, limits: limits)
    try careless.refresh()
  }
}
