package import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UpdateFeed {
  /// Reads a document; it must be canonical JSON, and have no member that is not known.
  ///
  /// - Throws: `TrustError` `update-feed-malformed` with the member that cannot be so.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard bytes.count <= Self.largest else { throw TrustError(.updateFeedMalformed, ["field": "length"]) }
    guard let value = try? JSONValue(reading: bytes), let canonical = try? value.canonical(),
      canonical.elementsEqual(bytes)
    else { throw TrustError(.updateFeedMalformed, ["field": "JSON"]) }
    do throws(TrustError) {
      try self.init(value)
    } catch {
      throw error.code == .metadataMalformed ? TrustError(.updateFeedMalformed, error.values) : error
    }
  }

  private init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "feed")
    try fields.require(try fields.string("schema") == Self.schema, "schema")
    app = try fields.string("app")
    try fields.require(Self.isName(app), "app")
    version = try fields.integer("version", from: 0)
    updated = try fields.time("updated")
    releases = []
    let values = try fields.values("releases")
    try fields.require(values.count <= Self.mostReleases, "releases")
    for value in values {
      let release = try UpdateRelease(value, app: app)
      let isTwice = releases.contains { $0.platform == release.platform && $0.version == release.version }
      try fields.require(!isTwice, "releases")
      releases.append(release)
    }
    try fields.finish()
  }

  package var value: JSONValue {
    [
      "schema": .string(Self.schema), "app": .string(app), "version": .init(version),
      "updated": .string(MetadataTime.text(updated)), "releases": .array(releases.map(\.value)),
    ]
  }

  /// The document as it is signed.
  package func encoded() throws(TrustError) -> [UInt8] { try value.canonical() }
}

extension UpdateRelease {
  init(_ value: JSONValue, app: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "feed.releases")
    let version = try fields.appVersion("version")
    let platform = try fields.string("platform")
    try fields.require(UpdateFeed.isName(platform), "platform")
    self.init(
      version: version, platform: platform, channel: try fields.string("channel"),
      published: try fields.time("published"), basisPoints: try fields.integer("basis_points", from: 0),
      group: try fields.string("group"), file: nil)
    try fields.require(UpdateFeed.isName(channel), "channel")
    try fields.require(basisPoints <= UpdateBucket.count, "basis_points")
    try fields.require((1...256).contains(group.utf8.count), "group")
    state = try fields.word("state")
    prompt = try fields.word("prompt")
    for (language, text) in try fields.object("notes") {
      guard let text = text.string else { throw fields.problem("notes") }
      notes[language] = text
    }
    if let text = fields.optional("minimum_system") {
      guard let minimum = text.string.flatMap({ DottedVersion($0) }) else { throw fields.problem("minimum_system") }
      minimumSystem = minimum
    }
    if fields.rest["force_below"] != nil { forceBelow = try fields.appVersion("force_below") }
    if fields.rest["deadline"] != nil { deadline = try fields.time("deadline") }
    if fields.rest["page"] != nil { page = try fields.string("page") }
    try readFiles(&fields, app)
    try fields.finish()
  }

  private mutating func readFiles(_ fields: inout MetadataFields, _ app: String) throws(TrustError) {
    file = try fields.optional("file").map { (value) throws(TrustError) in try UpdateFile(value, app: app) }
    try fields.require(file != nil || page != nil, "file")
    for value in try fields.values("deltas") {
      var delta = try MetadataFields(value, path: "feed.releases.deltas")
      let from = try delta.appVersion("from")
      let digest = try delta.digest("from_sha256")
      deltas.append(
        UpdateDelta(from: from, fromSHA256: digest, file: try UpdateFile(delta.optional("file"), app: app)))
      try delta.finish()
    }
    try fields.require(deltas.isEmpty || file != nil, "deltas")
  }

  var value: JSONValue {
    var members: JSONValue.Object = [
      "version": .string(version.text), "platform": .string(platform), "channel": .string(channel),
      "state": .string(state.rawValue), "published": .string(MetadataTime.text(published)),
      "prompt": .string(prompt.rawValue), "basis_points": .init(basisPoints), "group": .string(group),
      "notes": .object(notes.mapValues { .string($0) }), "deltas": .array(deltas.map(\.value)),
    ]
    members["minimum_system"] = minimumSystem.map { .string($0.text) }
    members["force_below"] = forceBelow.map { .string($0.text) }
    members["deadline"] = deadline.map { .string(MetadataTime.text($0)) }
    members["file"] = file?.value
    members["page"] = page.map { .string($0) }
    return .object(members)
  }
}

extension UpdateDelta {
  var value: JSONValue { ["from": .string(from.text), "from_sha256": .string(fromSHA256), "file": file.value] }
}

extension UpdateFile {
  init(_ value: JSONValue?, app: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: "feed.releases.file")
    self.init(
      path: try fields.string("path"), length: try fields.integer("length", from: 0),
      sha256: try fields.digest("sha256"))
    try fields.require(path.hasPrefix("updates/\(app)/"), "path")
    try fields.finish()
  }

  var value: JSONValue { ["path": .string(path), "length": .init(length), "sha256": .string(sha256)] }
}
