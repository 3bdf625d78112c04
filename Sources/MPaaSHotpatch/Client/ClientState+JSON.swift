import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ClientState {
  static let schema = "mpaas-hotpatch-state/1"

  /// - Throws: `TrustError` `client-state-malformed`.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    do throws(TrustError) {
      guard bytes.count <= 1 << 20, let value = try? JSONValue(reading: bytes) else {
        throw TrustError(.metadataMalformed, ["field": "JSON"])
      }
      try self.init(value)
    } catch {
      throw TrustError(.clientStateMalformed, error.values)
    }
  }

  private init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state")
    try fields.require(try fields.string("schema") == Self.schema, "schema")
    for (patch, value) in try fields.object("patches") { slots[patch] = try Slot(value, patch: patch) }
    pendingBoot = try fields.optional("pending_boot").map { (value) throws(TrustError) in
      var fields = try MetadataFields(value, path: "state.pending_boot")
      return Boot(time: try fields.time("time"), digests: try fields.strings("digests"))
    }
    failedBoots = try fields.integer("failed_boots", from: 0)
    for value in try fields.values("known_bad") { knownBad.append(try BadPatch(value)) }
    try fields.finish()
  }

  package var encoded: [UInt8] {
    var members: JSONValue.Object = [
      "schema": .string(Self.schema), "patches": .object(slots.mapValues(\.value)), "failed_boots": .init(failedBoots),
      "known_bad": .array(knownBad.map(\.value)),
    ]
    members["pending_boot"] = pendingBoot.map {
      ["time": .string(MetadataTime.text($0.time)), "digests": .array($0.digests.map { .string($0) })]
    }
    return Array(JSONValue.object(members).line.utf8)
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
    failedBoots = try fields.integer("failed_boots", from: 0)
    try fields.finish()
  }

  fileprivate var value: JSONValue {
    [
      "version": .string(version.text), "channel": .string(channel), "sha256": .string(sha256),
      "length": .init(length), "healthy": .bool(isHealthy), "failed_boots": .init(failedBoots),
    ]
  }
}

extension ClientState.BadPatch {
  fileprivate init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "state.known_bad")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    self.init(
      patch: try fields.string("patch"), version: version, sha256: try fields.string("sha256"),
      time: try fields.time("time"))
    try fields.finish()
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
