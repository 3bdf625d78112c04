package import MPaaSSupport

/// A role that another one hands a part of the names to (TUF section 4.5, DELEGATIONS).
package struct DelegatedRole: Sendable, Equatable {
  /// The names that the role may vouch for.
  package enum Scope: Sendable, Equatable {
    /// Shell patterns, as in `patches/*`; `*` does not match `/`.
    case paths([String])
    /// Beginnings of the SHA-256 of the name, in hex: hashed bins.
    case hashPrefixes([String])
  }

  package var name: String
  package var keys: RoleKeys
  package var isTerminating: Bool
  package var scope: Scope
  package var unknown: JSONValue.Object = [:]

  package init(name: String, keys: RoleKeys, isTerminating: Bool = false, scope: Scope) {
    self.name = name
    self.keys = keys
    self.isTerminating = isTerminating
    self.scope = scope
  }

  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "targets.delegations.roles")
    name = try fields.string("name")
    guard !name.isEmpty, TopRole(rawValue: name) == nil else { throw fields.error("name") }
    keys = try RoleKeys(taking: &fields)
    isTerminating = try fields.bool("terminating")
    switch (fields.rest["paths"] != nil, fields.rest["path_hash_prefixes"] != nil) {
    case (true, false): scope = .paths(try fields.strings("paths"))
    case (false, true): scope = .hashPrefixes(try fields.strings("path_hash_prefixes"))
    default: throw fields.error("paths")
    }
    unknown = fields.rest
  }

  var value: JSONValue {
    var members = unknown.merging(keys.members) { $1 }
    members["name"] = .string(name)
    members["terminating"] = .bool(isTerminating)
    switch scope {
    case .paths(let paths): members["paths"] = .array(paths.map { .string($0) })
    case .hashPrefixes(let prefixes): members["path_hash_prefixes"] = .array(prefixes.map { .string($0) })
    }
    return .object(members)
  }
}

/// Bins of equal size for very many targets, named by a prefix and a number (TAP 15).
package struct SuccinctRoles: Sendable, Equatable {
  package var keys: RoleKeys
  /// From 1 to 32; the number of bins is two to the power of it.
  package var bitLength: Int
  package var namePrefix: String
  package var unknown: JSONValue.Object = [:]

  package init(keys: RoleKeys, bitLength: Int, namePrefix: String) {
    self.keys = keys
    self.bitLength = bitLength
    self.namePrefix = namePrefix
  }

  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "targets.delegations.succinct_roles")
    keys = try RoleKeys(taking: &fields)
    bitLength = try fields.integer("bit_length")
    namePrefix = try fields.string("name_prefix")
    guard bitLength <= 32 else { throw fields.error("bit_length") }
    unknown = fields.rest
  }

  var value: JSONValue {
    var members = unknown.merging(keys.members) { $1 }
    members["bit_length"] = .init(bitLength)
    members["name_prefix"] = .string(namePrefix)
    return .object(members)
  }
}

/// The keys and roles that a targets role delegates to.
package struct Delegations: Sendable, Equatable {
  package enum Roles: Sendable, Equatable {
    /// In the order in which they are asked.
    case listed([DelegatedRole])
    case succinct(SuccinctRoles)
  }

  package var keys: MetadataKeys
  package var roles: Roles
  package var unknown: JSONValue.Object = [:]

  package init(keys: MetadataKeys = MetadataKeys(), roles: Roles = .listed([])) {
    self.keys = keys
    self.roles = roles
  }

  init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "targets.delegations")
    keys = MetadataKeys(try fields.object("keys"))
    switch (fields.optional("roles"), fields.optional("succinct_roles")) {
    case (let list?, nil):
      guard let list = list.array else { throw fields.error("roles") }
      var roles: [DelegatedRole] = []
      var names: Set<ExactName> = []
      for entry in list {
        let role = try DelegatedRole(entry)
        guard names.insert(ExactName(role.name)).inserted else { throw fields.error("roles") }
        roles.append(role)
      }
      self.roles = .listed(roles)
    case (nil, let value?): roles = .succinct(try SuccinctRoles(value))
    default: throw fields.error("roles")
    }
    unknown = fields.rest
  }

  var value: JSONValue {
    var members = unknown
    members["keys"] = keys.value
    switch roles {
    case .listed(let list): members["roles"] = .array(list.map(\.value))
    case .succinct(let bins): members["succinct_roles"] = bins.value
    }
    return .object(members)
  }
}
