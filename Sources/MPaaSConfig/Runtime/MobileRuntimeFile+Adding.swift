import MPaaSSupport

extension MobileRuntimeFile {
  /// The file with one more micro-app, where there is none of its name; all that stood in it is as it was.
  ///
  /// - Throws: `runtime-name-taken` where the name belongs to another delegate.
  package func adding(_ application: Application) throws(ConfigError) -> MobileRuntimeFile {
    if let old = applications.first(where: { $0.name == application.name }) {
      guard old.delegate == application.delegate else { throw taken(application.name, by: old.delegate, old.place) }
      return self
    }
    var members: [(String, PropertyListValue)] = [
      ("name", .string(application.name)), ("delegate", .string(application.delegate)),
    ]
    if let title = application.title { members.append(("description", .string(title))) }
    return try appending(.dictionary(members), to: "Applications")
  }

  /// The file with one more service, where there is none of its name.
  ///
  /// - Throws: `runtime-name-taken` where the name belongs to another class.
  package func adding(_ service: Service) throws(ConfigError) -> MobileRuntimeFile {
    if let old = services.first(where: { $0.name == service.name }) {
      guard old.className == service.className else { throw taken(service.name, by: old.className, old.place) }
      return self
    }
    var members: [(String, PropertyListValue)] = [
      ("name", .string(service.name)), ("class", .string(service.className)),
      ("lazyLoading", flag(service.isLazy)),
    ]
    if let interface = service.interface { members.append(("protocol", .string(interface))) }
    if !service.isSingleton { members.append(("singleton", flag(false))) }
    return try appending(.dictionary(members), to: "Services")
  }

  /// The file with one more module, where its class is none yet.
  ///
  /// A file of BeeHive's gets it as BeeHive writes it.
  package func adding(_ module: Module) throws(ConfigError) -> MobileRuntimeFile {
    if modules.contains(where: { $0.className == module.className }) { return self }
    let isBeeHive = document.root["moduleClasses"] != nil && document.root["Modules"] == nil
    let keys = isBeeHive ? ["moduleClass", "moduleLevel", "modulePriority"] : ["class", "level", "priority"]
    var members: [(String, PropertyListValue)] = [(keys[0], .string(module.className))]
    if let level = module.level { members.append((keys[1], .integer(level))) }
    if let priority = module.priority { members.append((keys[2], .integer(priority))) }
    return try appending(.dictionary(members), to: isBeeHive ? "moduleClasses" : "Modules")
  }

  /// The file with another micro-app that is started first.
  package func settingLauncher(_ name: String) throws(ConfigError) -> MobileRuntimeFile {
    try MobileRuntimeFile(document.setting(.string(name), at: ["Launcher"]))
  }

  private func appending(_ entry: PropertyListValue, to section: String) throws(ConfigError) -> MobileRuntimeFile {
    let step = PropertyListStep.key(section)
    if document.root[section] == nil {
      return try MobileRuntimeFile(document.setting(.array([entry]), at: [step]))
    }
    return try MobileRuntimeFile(document.inserting(entry, into: [step]))
  }

  /// A truth value as the file's services write it: old files have strings.
  private func flag(_ value: Bool) -> PropertyListValue {
    let others = document.root["Services"]?.values?.compactMap { $0["lazyLoading"] } ?? []
    return others.last?.string == nil ? .boolean(value) : .string(value ? "true" : "false")
  }

  private func taken(_ name: String, by owner: String, _ place: Place?) -> ConfigError {
    ConfigError(.runtimeNameTaken, ["file": document.file, "name": name, "owner": owner], at: place)
  }
}
