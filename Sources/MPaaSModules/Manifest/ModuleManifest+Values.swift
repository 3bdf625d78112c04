import MPaaSSupport

extension ModuleManifest {
  /// All that stands in `module.toml` outside `[module]`, as an index has it; what is empty is left out.
  var parts: JSONValue.Object {
    var members: JSONValue.Object = [:]
    members["notes"] = notes.value
    if !platforms.isEmpty {
      members["platforms"] = .object(
        Dictionary(uniqueKeysWithValues: platforms.map { ($0.key.rawValue, .string($0.value.text)) }))
    }
    if !dependencies.isEmpty {
      members["dependencies"] = .object(Dictionary(dependencies.map { ($0.name, $0.value) }) { $1 })
    }
    if !conflicts.isEmpty {
      members["conflicts"] = .object(Dictionary(conflicts.map { ($0.name, .string($0.requirement.text)) }) { $1 })
    }
    members["contents"] = Self.value(ModuleContents.lists.map { ($0.key, contents[keyPath: $0.list]) })
    members["link"] = Self.value(LinkSettings.lists.map { ($0.key, link[keyPath: $0.list]) })
    return members
  }

  private static func value(_ lists: [(key: String, strings: [String])]) -> JSONValue? {
    var members: JSONValue.Object = [:]
    for (key, strings) in lists where !strings.isEmpty { members[key] = .array(strings.map { .string($0) }) }
    return members.isEmpty ? nil : .object(members)
  }
}

extension LocalizedText {
  /// An object with `en` and `zh-Hans`; nil where there is no text.
  var value: JSONValue? {
    guard !isEmpty else { return nil }
    var members: JSONValue.Object = [:]
    members["en"] = english.map { .string($0) }
    members["zh-Hans"] = simplifiedChinese.map { .string($0) }
    return .object(members)
  }
}

extension ModuleDependency {
  /// The requirement as text, or a table where there is more to say.
  var value: JSONValue {
    guard isOptional || !platforms.isEmpty else { return .string(requirement.text) }
    var members: JSONValue.Object = ["version": .string(requirement.text)]
    if !platforms.isEmpty { members["platforms"] = .array(platforms.sorted().map { .string($0.rawValue) }) }
    if isOptional { members["optional"] = true }
    return .object(members)
  }
}
