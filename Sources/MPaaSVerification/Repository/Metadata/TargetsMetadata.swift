package import MPaaSSupport

/// A file that the repository offers (TARGETS, TUF section 4.5).
package struct TargetFile: Sendable, Equatable {
  package var length: Int
  package var digests: FileDigests
  /// The publisher's own words about it; never read by TUF itself.
  package var custom: JSONValue?
  package var unknown: JSONValue.Object = [:]

  package init(length: Int, digests: FileDigests, custom: JSONValue? = nil) {
    self.length = length
    self.digests = digests
    self.custom = custom
  }

  init(_ value: JSONValue?, path: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: path)
    length = try fields.integer("length", from: 0)
    guard let hashes = fields.optional("hashes") else { throw fields.error("hashes") }
    digests = try FileDigests(hashes, path: path)
    custom = fields.optional("custom")
    unknown = fields.rest
  }

  var value: JSONValue {
    var members = unknown
    members["length"] = .init(length)
    members["hashes"] = digests.value
    members["custom"] = custom
    return .object(members)
  }
}

/// The files that a role vouches for, and the roles that it hands a part of the names to.
package struct TargetsMetadata: MetadataBody {
  package static let type = "targets"

  package var header: MetadataHeader
  /// By name: `patches/cart/3.mpatch`.
  package var targets: ExactMap<TargetFile>
  package var delegations: Delegations?

  package init(header: MetadataHeader, targets: ExactMap<TargetFile> = [:], delegations: Delegations? = nil) {
    self.header = header
    self.targets = targets
    self.delegations = delegations
  }

  package init(signed: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(signed, path: Self.type)
    header = try MetadataHeader(type: Self.type, taking: &fields)
    targets = [:]
    for (name, value) in try fields.object("targets") {
      targets[name] = try TargetFile(value, path: "targets.targets.\(name)")
    }
    if let value = fields.optional("delegations") { delegations = try Delegations(value) }
    header.unknown = fields.rest
  }

  package var signed: JSONValue {
    var members = header.members(type: Self.type)
    members["targets"] = .object(targets.mapValues(\.value))
    members["delegations"] = delegations?.value
    return .object(members)
  }
}
