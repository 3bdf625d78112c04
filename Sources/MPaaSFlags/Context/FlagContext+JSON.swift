package import MPaaSSupport

extension FlagContext {
  /// Reads a context as Unleash's clients write it.
  ///
  /// Numbers and booleans count as their texts, `null` as absent. Members beside the known ones are properties.
  ///
  /// - Throws: `FlagError` `flags-context-malformed` with the member.
  package init(json value: JSONValue) throws(FlagError) {
    self.init()
    guard let members = value.object else { throw FlagError(.context, ["member": "context"]) }
    for (name, value) in members {
      switch name {
      case "properties" where value != .null:
        guard let object = value.object else { throw FlagError(.context, ["member": name]) }
        for (key, value) in object { try set(key, value, isProperty: true) }
      default: try set(name, value, isProperty: false)
      }
    }
  }

  private mutating func set(_ name: String, _ value: JSONValue, isProperty: Bool) throws(FlagError) {
    guard value != .null else { return }
    let text: String
    switch value {
    case .string(let value): text = value
    case .bool, .unsigned, .negative, .number: text = value.line
    default: throw FlagError(.context, ["member": name])
    }
    switch name {
    case _ where isProperty: properties[name] = text
    case "userId": userId = text
    case "sessionId": sessionId = text
    case "environment": environment = text
    case "appName": appName = text
    case "remoteAddress": remoteAddress = text
    case "currentTime": currentTime = text
    default: properties[name] = properties[name] ?? text
    }
  }
}
