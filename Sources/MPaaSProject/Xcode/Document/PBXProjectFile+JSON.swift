package import MPaaSSupport

extension PBXProjectFile {
  /// The members of the file's root, with the objects by their identifiers.
  package var json: JSONValue {
    var root = Self.members(rootMembers)
    root["objects"] = .object(
      ids.reduce(into: JSONValue.Object()) { $0[$1] = .object(Self.members(object($1)?.members ?? [])) })
    return .object(root)
  }

  private static func members(_ members: [PBXMember]) -> JSONValue.Object {
    members.reduce(into: JSONValue.Object()) { $0[$1.key] = value($1.value) }
  }

  private static func value(_ value: PBXValue) -> JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(Self.value))
    case .dictionary(let members): .object(Self.members(members))
    }
  }
}
