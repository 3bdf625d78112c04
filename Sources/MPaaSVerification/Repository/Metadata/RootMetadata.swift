package import MPaaSSupport

/// The four roles that every repository has.
package enum TopRole: String, Sendable, CaseIterable, Codable {
  case root, timestamp, snapshot, targets
}

/// The keys by role: the root of trust (TUF section 4.3).
package struct RootMetadata: MetadataBody {
  package static let type = "root"

  package var header: MetadataHeader
  package var consistentSnapshot: Bool
  package var keys: MetadataKeys
  package var roles: [TopRole: RoleKeys]

  package init(header: MetadataHeader, keys: MetadataKeys, roles: [TopRole: RoleKeys], consistentSnapshot: Bool = true)
  {
    self.header = header
    self.keys = keys
    self.roles = roles
    self.consistentSnapshot = consistentSnapshot
  }

  package init(signed: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(signed, path: Self.type)
    header = try MetadataHeader(type: Self.type, taking: &fields)
    consistentSnapshot = try fields.optional("consistent_snapshot") == nil ? false : Self.flag(signed)
    keys = MetadataKeys(try fields.object("keys"))
    var found = try MetadataFields(.object(try fields.object("roles")), path: "root.roles")
    roles = [:]
    for role in TopRole.allCases {
      var fields = try MetadataFields(found.optional(role.rawValue), path: "root.roles.\(role.rawValue)")
      roles[role] = try RoleKeys(taking: &fields)
    }
    header.unknown = fields.rest
  }

  private static func flag(_ signed: JSONValue) throws(TrustError) -> Bool {
    guard let value = signed.object?["consistent_snapshot"]?.bool else {
      throw TrustError(.metadataMalformed, ["field": "root.consistent_snapshot"])
    }
    return value
  }

  package var signed: JSONValue {
    var members = header.members(type: Self.type)
    members["consistent_snapshot"] = .bool(consistentSnapshot)
    members["keys"] = keys.value
    members["roles"] = .object(
      Dictionary(roles.map { ($0.rawValue, JSONValue.object($1.members)) }) { $1 })
    return .object(members)
  }

  /// The keys of `role`; none, so that nothing verifies, where the file names none.
  package func keys(of role: TopRole) -> RoleKeys {
    roles[role] ?? RoleKeys(keyIDs: [], threshold: 1)
  }
}
