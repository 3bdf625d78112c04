import MPaaSDeclarations
import MPaaSSupport

/// Gathers the entries of a table, and what is wrong with them.
struct RuntimeTableBuilder {
  /// The roles of an entry, with the protocols that say so.
  enum Role: String {
    case application, service, module, controller

    var protocolName: String {
      switch self {
      case .application: "MicroAppDelegate"
      case .service: "MobileService"
      case .module: "FrameworkModule"
      case .controller: "MessageController"
      }
    }

    var registering: String {
      switch self {
      case .application: "RegisteredApplication"
      case .service: "RegisteredService"
      case .module: "RegisteredModule"
      case .controller: "RegisteredController"
      }
    }

    /// The kinds that its types may be.
    var kinds: [TypeDeclaration.Kind] {
      switch self {
      case .application, .module: [.class]
      case .service: [.class, .actor]
      case .controller: [.class, .actor, .struct]
      }
    }

    var section: RuntimeTableEntry.Section {
      switch self {
      case .application: .applications
      case .service: .services
      case .module: .modules
      case .controller: .controllers
      }
    }
  }

  private let types: RuntimeTypes
  private(set) var entries: [RuntimeTableEntry] = []
  private(set) var findings: [ConfigFinding] = []
  private(set) var imports: Set<String> = []
  /// The place where each name was registered first, by role and name.
  private var places: [Role: [String: String]] = [:]
  /// The classes that files name, by role.
  private var listed: [Role: Set<String>] = [:]
  private var hasRegisteredApplications = false

  init(_ types: RuntimeTypes) {
    self.types = types
  }

  mutating func add(_ file: MobileRuntimeFile) {
    for key in file.unknownKeys {
      var values = ["key": key.key, "file": file.document.file]
      values["suggestion"] = key.suggestion
      findings.append(ConfigFinding(.warning, .runtimeUnknownKey, values, at: key.place))
    }
    for entry in file.applications { add(entry) }
    for entry in file.services { add(entry) }
    for entry in file.modules { add(entry) }
  }

  private mutating func add(_ entry: MobileRuntimeFile.Application) {
    guard isNew(entry.name, .application, entry.place),
      let found = resolve(entry.delegate, .application, entry.name, at: entry.delegatePlace)
    else { return }
    var arguments = ["name: \(SwiftLiteral.text(entry.name))"]
    if let title = entry.title { arguments.append("title: \(SwiftLiteral.text(title))") }
    arguments.append("delegate: \(found.reference).self")
    append(.application, arguments, found.conditions, entry.place)
  }

  private mutating func add(_ entry: MobileRuntimeFile.Service) {
    guard isNew(entry.name, .service, entry.place),
      let found = resolve(entry.className, .service, entry.name, at: entry.classPlace)
    else { return }
    var arguments = ["name: \(SwiftLiteral.text(entry.name))", "type: \(found.reference).self"]
    var conditions = found.conditions
    if let interface = entry.interface {
      guard let type = resolveInterface(interface, entry) else { return }
      let isProtocol = type.type?.kind != .class && type.type?.kind != .actor
      arguments.append("interface: " + (isProtocol ? "(any \(type.reference)).self" : "\(type.reference).self"))
      conditions += type.conditions.filter { !conditions.contains($0) }
    }
    if !entry.isLazy { arguments.append("isLazy: false") }
    if !entry.isSingleton { arguments.append("isSingleton: false") }
    append(.service, arguments, conditions, entry.place)
  }

  private mutating func add(_ entry: MobileRuntimeFile.Module) {
    guard isNew(entry.className, .module, entry.place),
      let found = resolve(entry.className, .module, entry.className, at: entry.place)
    else { return }
    var arguments = ["type: \(found.reference).self"]
    if let level = entry.level { arguments.append("level: \(level)") }
    if let priority = entry.priority { arguments.append("priority: \(priority)") }
    append(.module, arguments, found.conditions, entry.place)
  }

  private mutating func append(_ role: Role, _ arguments: [String], _ conditions: [String], _ place: Place?) {
    var arguments = arguments
    if case .text(let file, let line, _)? = place {
      arguments.append("place: SourcePlace(\(SwiftLiteral.text(RuntimeTableSource.name(file))), line: \(line))")
    }
    entries.append(RuntimeTableEntry(section: role.section, arguments: arguments, conditions: conditions))
  }

  private mutating func isNew(_ name: String, _ role: Role, _ place: Place?) -> Bool {
    if let other = places[role]?[name] {
      let values = ["name": name, "role": role.rawValue, "other": other]
      findings.append(ConfigFinding(.error, .runtimeDuplicate, values, at: place))
      return false
    }
    places[role, default: [:]][name] = place.map { "\($0)" } ?? ""
    return true
  }

  private mutating func resolve(_ name: String, _ role: Role, _ entry: String, at place: Place?) -> RuntimeTypes.Found?
  {
    var values = ["class": name, "role": role.rawValue, "name": entry, "target": types.target.name]
    guard let found = types.find(name) else {
      if let near = types.suggestion(for: name, { $0.kind == .class }) {
        (values["suggestion"], values["suggestion_place"]) = (near.name, near.place)
      }
      findings.append(ConfigFinding(.error, .runtimeClassMissing, values, at: place))
      return nil
    }
    if let module = found.module { imports.insert(module) }
    guard let type = found.type else { return found }
    listed[role, default: []].insert(found.reference)
    guard check(type, found, role, values, at: place) else { return nil }
    return found
  }

  /// Tells whether the table can name the type; a warning where it does not seem to be of the right kind.
  private mutating func check(
    _ type: TypeDeclaration, _ found: RuntimeTypes.Found, _ role: Role, _ values: [String: String], at place: Place?
  ) -> Bool {
    var values = values
    let isRightKind = role.kinds.contains(type.kind)
    guard isRightKind, !type.isGeneric else {
      values["found"] = type.isGeneric ? "generic" : Self.article(type.kind)
      findings.append(ConfigFinding(.error, .runtimeClassKind, values, at: place))
      return false
    }
    let isForeign = found.module != nil
    let isPublic = type.modifiers.contains("public") || type.modifiers.contains("open")
    if let access = isForeign ? (isPublic ? nil : "not public") : types.hiddenBy(type) {
      values["access"] = access
      findings.append(ConfigFinding(.error, .runtimeClassPrivate, values, at: place))
      return false
    }
    let hasMacro = type.attributes.contains { !Self.plainAttributes.contains(String($0.prefix { $0 != "(" })) }
    if !isForeign, !hasMacro, types.conforms(type.name, to: [role.protocolName, role.registering]) == false {
      values["protocol"] = role.protocolName
      findings.append(ConfigFinding(.warning, .runtimeClassConformance, values, at: place))
    }
    return true
  }

  private static let plainAttributes: Set<String> = [
    "objc", "objcMembers", "MainActor", "available", "usableFromInline",
  ]

  private static func article(_ kind: TypeDeclaration.Kind) -> String {
    kind == .enum || kind == .actor ? "an \(kind.rawValue)" : "a \(kind.rawValue)"
  }

  private mutating func resolveInterface(_ name: String, _ entry: MobileRuntimeFile.Service) -> RuntimeTypes.Found? {
    if let found = types.find(name) {
      if let module = found.module { imports.insert(module) }
      return found
    }
    var values = ["class": name, "name": entry.name, "target": types.target.name]
    if let near = types.suggestion(for: name, { $0.kind == .protocol }) {
      (values["suggestion"], values["suggestion_place"]) = (near.name, near.place)
    }
    findings.append(ConfigFinding(.error, .runtimeProtocolMissing, values, at: entry.interfacePlace))
    return nil
  }
}

extension RuntimeTableBuilder {
  /// Adds the types of the target whose clause says that they register themselves.
  mutating func addRegistered(listedIn file: String) {
    for role in [Role.application, .service, .module, .controller] {
      var seen: Set<String> = []
      for (path, type) in types.target.types where role.kinds.contains(type.kind) || type.kind == .actor {
        guard seen.insert(type.name).inserted, types.clause(of: type.name).contains(role.registering) else { continue }
        addRegistered(type, role, at: path, listedIn: file)
      }
    }
  }

  private mutating func addRegistered(_ type: TypeDeclaration, _ role: Role, at path: String, listedIn file: String) {
    let place = Place.text(file: path, line: type.line, column: type.column)
    if role == .application { hasRegisteredApplications = true }
    if listed[role]?.contains(type.name) == true {
      let values = ["class": type.name, "file": RuntimeTableSource.name(file)]
      findings.append(ConfigFinding(.warning, .runtimeRegisteredTwice, values, at: place))
      return
    }
    let values = ["class": type.name, "role": role.rawValue, "name": type.name, "target": types.target.name]
    guard let found = types.find(type.name), check(type, found, role, values, at: place) else { return }
    entries.append(
      RuntimeTableEntry(
        section: role.section,
        arguments: [
          "registered: \(found.reference).self",
          "place: SourcePlace(\(SwiftLiteral.text(path)), line: \(type.line))",
        ], conditions: found.conditions))
  }

  /// A launcher must be a micro-app.
  ///
  /// Types that register themselves may have any name, which shows when the app starts.
  mutating func checkLaunchers(_ files: [MobileRuntimeFile]) {
    let names = places[.application].map { Array($0.keys) } ?? []
    for file in files {
      guard let launcher = file.launcher, !names.contains(launcher), !hasRegisteredApplications else { continue }
      var values = ["name": launcher]
      values["suggestion"] = closestMatch(to: launcher, among: names.sorted())
      findings.append(ConfigFinding(.error, .runtimeLauncher, values, at: file.launcherPlace))
    }
  }
}
