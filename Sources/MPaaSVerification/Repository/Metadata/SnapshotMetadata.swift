package import MPaaSSupport

/// The facts of a metadata file about another one (METAFILES, TUF section 4.4).
package struct MetaFile: Sendable, Equatable {
  package var version: Int
  package var length: Int?
  package var digests: FileDigests
  package var unknown: JSONValue.Object = [:]

  package init(version: Int, length: Int? = nil, digests: FileDigests = FileDigests()) {
    self.version = version
    self.length = length
    self.digests = digests
  }

  init(_ value: JSONValue?, path: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: path)
    version = try fields.integer("version")
    length = fields.rest["length"] == nil ? nil : try fields.integer("length", from: 0)
    digests = try FileDigests(fields.optional("hashes"), path: path)
    unknown = fields.rest
  }

  var value: JSONValue {
    var members = unknown
    members["version"] = .init(version)
    if let length { members["length"] = .init(length) }
    if !digests.isEmpty { members["hashes"] = digests.value }
    return .object(members)
  }
}

/// All metadata files of a repository at one moment, so that none of another moment can be slipped in.
package struct SnapshotMetadata: MetadataBody {
  package static let type = "snapshot"

  package var header: MetadataHeader
  /// By file name: `targets.json`, `patches.json`.
  package var meta: ExactMap<MetaFile>

  package init(header: MetadataHeader, meta: ExactMap<MetaFile>) {
    self.header = header
    self.meta = meta
  }

  package init(signed: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(signed, path: Self.type)
    header = try MetadataHeader(type: Self.type, taking: &fields)
    meta = [:]
    for (name, value) in try fields.object("meta") { meta[name] = try MetaFile(value, path: "snapshot.meta.\(name)") }
    header.unknown = fields.rest
  }

  package var signed: JSONValue {
    var members = header.members(type: Self.type)
    members["meta"] = .object(meta.mapValues(\.value))
    return .object(members)
  }
}

/// The newest snapshot: small, signed often (TUF section 4.6).
package struct TimestampMetadata: MetadataBody {
  package static let type = "timestamp"

  package var header: MetadataHeader
  package var snapshot: MetaFile

  package init(header: MetadataHeader, snapshot: MetaFile) {
    self.header = header
    self.snapshot = snapshot
  }

  package init(signed: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(signed, path: Self.type)
    header = try MetadataHeader(type: Self.type, taking: &fields)
    let meta = try fields.object("meta")
    guard meta.count == 1 else { throw fields.error("meta") }
    snapshot = try MetaFile(meta["snapshot.json"], path: "timestamp.meta.snapshot.json")
    header.unknown = fields.rest
  }

  package var signed: JSONValue {
    var members = header.members(type: Self.type)
    members["meta"] = ["snapshot.json": snapshot.value]
    return .object(members)
  }
}
