package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RolloutDocument {
  /// Reads a document; only the one canonical spelling of it is accepted, and no member that is not known.
  ///
  /// - Throws: `TrustError` `rollout-malformed` with the member that cannot be so.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard bytes.count <= Self.largest else { throw TrustError(.rolloutMalformed, ["field": "length"]) }
    guard let value = try? JSONValue(reading: bytes), let canonical = try? value.canonical(),
      canonical.elementsEqual(bytes)
    else { throw TrustError(.rolloutMalformed, ["field": "JSON"]) }
    do throws(TrustError) {
      try self.init(value)
    } catch {
      throw error.code == .metadataMalformed ? TrustError(.rolloutMalformed, error.values) : error
    }
  }

  private init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout")
    try fields.require(try fields.string("schema") == Self.schema, "schema")
    app = try fields.string("app")
    try fields.require(Self.isName(app), "app")
    version = try fields.integer("version", from: 0)
    updated = try fields.time("updated")
    rollouts = []
    for value in try fields.values("rollouts") {
      let rollout = try Rollout(value, app: app)
      let isTwice = rollouts.contains {
        $0.patch == rollout.patch && $0.channel == rollout.channel && $0.version == rollout.version
      }
      try fields.require(!isTwice, "rollouts")
      rollouts.append(rollout)
    }
    try fields.finish()
  }

  package var value: JSONValue {
    [
      "schema": .string(Self.schema), "app": .string(app), "version": .init(version),
      "updated": .string(MetadataTime.text(updated)), "rollouts": .array(rollouts.map(\.value)),
    ]
  }

  /// The document as it is signed.
  package func encoded() throws(TrustError) -> [UInt8] { try value.canonical() }
}

extension Rollout {
  init(_ value: JSONValue, app: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout.rollouts")
    let patch = try fields.string("patch")
    try fields.require(RolloutDocument.isName(patch), "patch")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    guard let range = DottedVersionRange(try fields.string("app_versions")) else {
      throw fields.problem("app_versions")
    }
    let target = try Target(fields.optional("target"))
    try fields.require(target.path.hasPrefix("patches/\(app)/"), "target.path")
    self.init(
      patch: patch, version: version, channel: try fields.string("channel"), target: target,
      basisPoints: try fields.integer("basis_points", from: 0), salt: try fields.string("salt"), appVersions: range)
    try fields.require(RolloutDocument.isName(channel), "channel")
    try fields.require(basisPoints <= RolloutBucket.count, "basis_points")
    try fields.require((1...64).contains(salt.utf8.count), "salt")
    state = try fields.word("state")
    stage = try fields.word("stage")
    allow = try fields.list("allow")
    deny = try fields.list("deny")
    rules = []
    for rule in try fields.values("rules") { rules.append(try RolloutRule(rule, path: "rollout.rollouts.rules")) }
    window = try fields.optional("window").map { (value) throws(TrustError) in try Window(value) }
    isMandatory = try fields.bool("mandatory")
    statistics = try fields.optional("statistics").map { (value) throws(TrustError) in try CrashStatistics(value) }
    history = []
    for change in try fields.values("history") { history.append(try Change(change)) }
    try fields.finish()
  }

  var value: JSONValue {
    var members: JSONValue.Object = [
      "patch": .string(patch), "version": .string(version.text), "channel": .string(channel), "target": target.value,
      "state": .string(state.rawValue), "stage": .string(stage.rawValue), "basis_points": .init(basisPoints),
      "salt": .string(salt), "allow": .array(allow.map { .string($0) }), "deny": .array(deny.map { .string($0) }),
      "rules": .array(rules.map(\.value)), "app_versions": .string(appVersions.text), "mandatory": .bool(isMandatory),
      "history": .array(history.map(\.value)),
    ]
    members["window"] = window?.value
    members["statistics"] = statistics?.value
    return .object(members)
  }
}

extension Rollout.Target {
  init(_ value: JSONValue?) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout.rollouts.target")
    self.init(
      path: try fields.string("path"), length: try fields.integer("length"), sha256: try fields.string("sha256"))
    try fields.require(sha256.utf8.count == 64 && sha256.utf8.allSatisfy(isHexadecimal), "sha256")
    try fields.finish()
  }

  var value: JSONValue { ["path": .string(path), "length": .init(length), "sha256": .string(sha256)] }
}

extension Rollout.Window {
  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout.rollouts.window")
    self.init(
      start: try fields.time("start"), end: try fields.time("end"), users: try fields.integer("users"),
      population: try fields.integer("population"))
    try fields.require(start < end, "end")
    try fields.finish()
  }

  var value: JSONValue {
    [
      "start": .string(MetadataTime.text(start)), "end": .string(MetadataTime.text(end)), "users": .init(users),
      "population": .init(population),
    ]
  }
}

extension Rollout.Change {
  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout.rollouts.history")
    self.init(
      time: try fields.time("time"), kind: try fields.word("change"),
      basisPoints: try fields.integer("basis_points", from: 0), reason: try fields.string("reason"))
    try fields.finish()
  }

  var value: JSONValue {
    [
      "time": .string(MetadataTime.text(time)), "change": .string(kind.rawValue), "basis_points": .init(basisPoints),
      "reason": .string(reason),
    ]
  }
}

extension CrashStatistics {
  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "rollout.rollouts.statistics")
    self.init(
      sessions: try fields.integer("sessions", from: 0), crashes: try fields.integer("crashes", from: 0),
      baseline: try fields.integer("baseline_per_million", from: 0), updated: try fields.time("updated"))
    forgivenSessions = try fields.integer("forgiven_sessions", from: 0)
    forgivenCrashes = try fields.integer("forgiven_crashes", from: 0)
    try fields.require(crashes <= sessions && baseline <= 1_000_000, "crashes")
    try fields.finish()
  }

  var value: JSONValue {
    [
      "sessions": .init(sessions), "crashes": .init(crashes), "baseline_per_million": .init(baseline),
      "forgiven_sessions": .init(forgivenSessions), "forgiven_crashes": .init(forgivenCrashes),
      "updated": .string(MetadataTime.text(updated)),
    ]
  }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
}
