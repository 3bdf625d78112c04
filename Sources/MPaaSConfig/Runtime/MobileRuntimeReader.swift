import MPaaSSupport

/// Takes the entries out of the property list of a runtime file.
struct MobileRuntimeReader {
  private static let rootKeys = [
    "Launcher", "Applications", "Services", "Modules", "ServicesMap", "moduleClasses", "services",
  ]
  private static let applicationKeys = ["name", "delegate", "description"]
  private static let serviceKeys = ["name", "class", "lazyLoading", "protocol", "singleton"]
  private static let moduleKeys = ["class", "level", "priority"]
  private static let beeModuleKeys = ["moduleClass", "moduleLevel", "modulePriority"]
  private static let beeServiceKeys = ["service", "impl"]

  private let document: PropertyListDocument
  private(set) var launcher: PropertyListValue?
  private(set) var applications: [MobileRuntimeFile.Application] = []
  private(set) var services: [MobileRuntimeFile.Service] = []
  private(set) var modules: [MobileRuntimeFile.Module] = []
  private(set) var unknownKeys: [MobileRuntimeFile.UnknownKey] = []
  /// The services that `ServicesMap` has made at the start.
  private var eager: Set<String> = []

  init(_ document: PropertyListDocument) {
    self.document = document
  }

  mutating func read() throws(ConfigError) {
    let root = document.root
    if let entries = root.values { return try readBeeServices(entries) }
    guard root.members != nil else { throw typeError(root, key: "plist", expected: "dict") }
    noteUnknown(root, among: Self.rootKeys)
    try readEager(root)
    launcher = root["Launcher"]
    if let launcher, launcher.string == nil { throw typeError(launcher, key: "Launcher", expected: "string") }
    for entry in try entries(root, "Applications") { try readApplication(entry) }
    for entry in try entries(root, "Services") { try readService(entry) }
    for entry in try entries(root, "Modules") { try readModule(entry, keys: Self.moduleKeys) }
    for entry in try entries(root, "moduleClasses") { try readModule(entry, keys: Self.beeModuleKeys) }
    try readBeeServices(entries(root, "services"))
  }

  private func entries(_ root: PropertyListValue, _ key: String) throws(ConfigError) -> [PropertyListValue] {
    guard let value = root[key] else { return [] }
    guard let values = value.values else { throw typeError(value, key: key, expected: "array") }
    return values
  }

  private mutating func readEager(_ root: PropertyListValue) throws(ConfigError) {
    guard let map = root["ServicesMap"] else { return }
    guard map.members != nil else { throw typeError(map, key: "ServicesMap", expected: "dict") }
    let names = try entries(map, "[AUTOSTART]")
    eager = Set(names.compactMap { $0.string ?? $0["name"]?.string })
  }

  private mutating func readApplication(_ entry: PropertyListValue) throws(ConfigError) {
    try expectDictionary(entry, "Applications")
    noteUnknown(entry, among: Self.applicationKeys)
    let name = try word(entry, "name", of: "Applications")
    let delegate = try word(entry, "delegate", of: "Applications")
    applications.append(
      .init(
        name: name.text, delegate: delegate.text, title: try optionalWord(entry, "description")?.text,
        place: name.place, delegatePlace: delegate.place))
  }

  private mutating func readService(_ entry: PropertyListValue) throws(ConfigError) {
    try expectDictionary(entry, "Services")
    noteUnknown(entry, among: Self.serviceKeys)
    let name = try word(entry, "name", of: "Services")
    let type = try word(entry, "class", of: "Services")
    let interface = try optionalWord(entry, "protocol")
    let isLazy = try flag(entry, "lazyLoading") ?? !eager.contains(name.text)
    services.append(
      .init(
        name: name.text, className: type.text, interface: interface?.text, isLazy: isLazy,
        isSingleton: try flag(entry, "singleton") ?? true, place: name.place, classPlace: type.place,
        interfacePlace: interface?.place))
  }

  private mutating func readModule(_ entry: PropertyListValue, keys: [String]) throws(ConfigError) {
    let section = keys == Self.moduleKeys ? "Modules" : "moduleClasses"
    try expectDictionary(entry, section)
    noteUnknown(entry, among: keys)
    let type = try word(entry, keys[0], of: section)
    modules.append(
      .init(
        className: type.text, level: try number(entry, keys[1]), priority: try number(entry, keys[2]),
        place: type.place))
  }

  private mutating func readBeeServices(_ entries: [PropertyListValue]) throws(ConfigError) {
    for entry in entries {
      try expectDictionary(entry, "services")
      noteUnknown(entry, among: Self.beeServiceKeys)
      let interface = try word(entry, "service", of: "services")
      let type = try word(entry, "impl", of: "services")
      services.append(
        .init(
          name: interface.text, className: type.text, interface: interface.text, place: interface.place,
          classPlace: type.place, interfacePlace: interface.place))
    }
  }

  private func expectDictionary(_ entry: PropertyListValue, _ section: String) throws(ConfigError) {
    guard entry.members == nil else { return }
    throw typeError(entry, key: section, expected: "dict")
  }

  private func word(
    _ entry: PropertyListValue, _ key: String, of section: String
  ) throws(ConfigError) -> (text: String, place: Place) {
    guard let word = try optionalWord(entry, key), !word.text.isEmpty else {
      throw ConfigError(
        .runtimeMember, ["file": document.file, "key": key, "section": section], at: document.place(of: entry))
    }
    return word
  }

  private func optionalWord(
    _ entry: PropertyListValue, _ key: String
  ) throws(ConfigError) -> (text: String, place: Place)? {
    guard let value = entry[key] else { return nil }
    guard let text = value.string else { throw typeError(value, key: key, expected: "string") }
    return (text, document.placeInside(value))
  }

  /// A truth value, which old files write as a string or a number.
  private func flag(_ entry: PropertyListValue, _ key: String) throws(ConfigError) -> Bool? {
    guard let value = entry[key] else { return nil }
    if let flag = value.boolean { return flag }
    switch value.string?.lowercased() ?? value.integer.map(String.init) {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: throw typeError(value, key: key, expected: "true")
    }
  }

  private func number(_ entry: PropertyListValue, _ key: String) throws(ConfigError) -> Int? {
    guard let value = entry[key] else { return nil }
    guard let number = value.integer ?? value.string.flatMap({ Int($0) }) else {
      throw typeError(value, key: key, expected: "integer")
    }
    return number
  }

  private func typeError(_ value: PropertyListValue, key: String, expected: String) -> ConfigError {
    ConfigError(
      .runtimeType, ["file": document.file, "key": key, "found": value.element, "expected": expected],
      at: document.place(of: value))
  }

  private mutating func noteUnknown(_ dictionary: PropertyListValue, among keys: [String]) {
    for member in dictionary.members ?? [] where !keys.contains(member.key) {
      unknownKeys.append(
        .init(
          key: member.key, suggestion: closestMatch(to: member.key, among: keys), place: document.place(of: member)))
    }
  }
}
