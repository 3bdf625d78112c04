import MPaaSDigests
import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ClientState {
  /// Reads a state of one line, and one without the line of its digest, as versions before wrote it.
  static let schema = "mpaas-hotpatch-state/2"
  static let oldSchema = "mpaas-hotpatch-state/1"

  /// Reads a line of JSON and, behind it, the SHA-256 of that line: a file that lost its end is no state.
  ///
  /// - Throws: `TrustError` `client-state-malformed`.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    do throws(TrustError) {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      let line = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
      guard bytes.count <= 1 << 20, let value = try? JSONValue(reading: line) else {
        throw TrustError(.metadataMalformed, ["field": "JSON"])
      }
      if let end {
        let rest = bytes[(end + 1)...]
        guard rest.elementsEqual(Self.digestLine(line).utf8) else {
          throw TrustError(.metadataMalformed, ["field": "sha256"])
        }
      }
      try self.init(value, schema: end == nil ? Self.oldSchema : Self.schema)
    } catch {
      throw TrustError(.clientStateMalformed, error.values)
    }
  }

  private static func digestLine(_ line: UnsafeRawBufferPointer) -> String { line.sha256.hexadecimal + "\n" }

  private init(_ value: JSONValue, schema: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state")
    try fields.require(try fields.string("schema") == schema, "schema")
    for (patch, value) in try fields.object("patches") { slots[patch] = try Slot(value, patch: patch) }
    pendingBoot = try fields.optional("pending_boot").map { (value) throws(TrustError) in try Boot(value) }
    starts = try fields.count("starts")
    failedBoots = try fields.integer("failed_boots", from: 0)
    for value in try fields.values("known_bad") {
      if let bad = try BadPatch(value) { knownBad.append(bad) }
    }
    try fields.finish()
  }

  package var encoded: [UInt8] {
    var members: JSONValue.Object = [
      "schema": .string(Self.schema), "patches": .object(slots.mapValues(\.value)), "failed_boots": .init(failedBoots),
      "known_bad": .array(knownBad.map(\.value)), "starts": .init(starts),
    ]
    members["pending_boot"] = pendingBoot?.value
    let line = Array(JSONValue.object(members).line.utf8)
    return line + Array(("\n" + line.withUnsafeBytes { Self.digestLine($0) }).utf8)
  }
}

extension MetadataFields {
  /// A number that states of before do not have.
  fileprivate mutating func count(_ name: String) throws(TrustError) -> Int {
    rest[name] == nil ? 0 : try integer(name, from: 0)
  }
}

extension ClientState.Boot {
  fileprivate init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state.pending_boot")
    self.init(time: try fields.time("time"), digests: try fields.strings("digests"))
    number = try fields.count("number")
    guard let process = Int32(exactly: try fields.count("process")) else { throw fields.problem("process") }
    processID = process
    healthy = fields.rest["healthy"] == nil ? [] : try fields.strings("healthy")
    isHealthy = fields.rest["confirmed"] == nil ? false : try fields.bool("confirmed")
    try fields.finish()
  }

  fileprivate var value: JSONValue {
    [
      "number": .init(number), "time": .string(MetadataTime.text(time)), "process": .init(Int(processID)),
      "digests": .array(digests.map { .string($0) }), "healthy": .array(healthy.map { .string($0) }),
      "confirmed": .bool(isHealthy),
    ]
  }
}

extension ClientState.Slot {
  fileprivate init(_ value: JSONValue, patch: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state.patches")
    guard let newest = DottedVersion(try fields.string("newest_version")) else {
      throw fields.problem("newest_version")
    }
    newestVersion = newest
    newestDigest = try fields.string("newest_digest")
    current = try fields.optional("current").map { (value) throws(TrustError) in
      try ClientState.Installed(value, patch: patch)
    }
    lastGood = try fields.optional("last_good").map { (value) throws(TrustError) in
      try ClientState.Installed(value, patch: patch)
    }
    try fields.finish()
  }

  fileprivate var value: JSONValue {
    var members: JSONValue.Object = [
      "newest_version": .string(newestVersion.text), "newest_digest": .string(newestDigest),
    ]
    members["current"] = current?.value
    members["last_good"] = lastGood?.value
    return .object(members)
  }
}

extension ClientState.Installed {
  fileprivate init(_ value: JSONValue, patch: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state.patches")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    let digest = try fields.string("sha256")
    // It becomes the name of a file.
    try fields.require(digest.utf8.count == 64 && Data(hexadecimal: digest) != nil, "sha256")
    self.init(
      patch: patch, version: version, channel: try fields.string("channel"), sha256: digest,
      length: try fields.integer("length"))
    isHealthy = try fields.bool("healthy")
    silentStarts = try fields.integer("failed_boots", from: 0)
    crashes = try fields.count("crashes")
    goodStarts = try fields.count("good_starts")
    timesAside = try fields.count("times_aside")
    let silentWithout = try fields.count("silent_without")
    if fields.rest["aside_until"] != nil {
      aside = ClientState.Aside(until: try fields.time("aside_until"))
      aside?.silentStarts = silentWithout
    }
    try fields.finish()
  }

  fileprivate var value: JSONValue {
    var members: JSONValue.Object = [
      "version": .string(version.text), "channel": .string(channel), "sha256": .string(sha256),
      "length": .init(length), "healthy": .bool(isHealthy), "failed_boots": .init(silentStarts),
      "crashes": .init(crashes), "good_starts": .init(goodStarts),
    ]
    if timesAside > 0 { members["times_aside"] = .init(timesAside) }
    if let aside {
      members["aside_until"] = .string(MetadataTime.text(aside.until))
      members["silent_without"] = .init(aside.silentStarts)
    }
    return .object(members)
  }
}

extension ClientState.BadPatch {
  /// Reads what is bad for good; what states of before called so for a week is forgotten.
  fileprivate init?(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state.known_bad")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    self.init(
      patch: try fields.string("patch"), version: version, sha256: try fields.string("sha256"),
      time: try fields.time("time"))
    let until = fields.rest["until"] == nil ? nil : try fields.time("until")
    try fields.finish()
    if until != nil { return nil }
  }

  fileprivate var value: JSONValue {
    [
      "patch": .string(patch), "version": .string(version.text), "sha256": .string(sha256),
      "time": .string(MetadataTime.text(time)),
    ]
  }
}

extension TrustError.Code {
  package static let clientStateMalformed = malformed("client-state-malformed")
}
