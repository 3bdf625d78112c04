extension RuntimeTable {
  /// One table of several, in their order; the same entry in two of them counts once.
  ///
  /// - Throws: `application-registered-twice`, `launcher-ambiguous`, with the lines.
  static func joining(_ tables: [RuntimeTable]) throws(FrameworkError) -> RuntimeTable {
    var joined = RuntimeTable()
    var known: [String: ApplicationEntry] = [:]
    var modules: [ObjectIdentifier: ModuleEntry] = [:]
    var controllers: Set<ObjectIdentifier> = []
    for table in tables {
      try joined.take(launcher: table.launcher)
      for entry in table.applications {
        if let first = known[entry.name] {
          guard first.delegate == entry.delegate else { throw twice(first, entry) }
          continue
        }
        known[entry.name] = entry
        joined.applications.append(entry)
      }
      joined.services += table.services
      for entry in table.modules {
        let first = modules.updateValue(entry, forKey: ObjectIdentifier(entry.type))
        // Another level or priority is a contradiction, which the registry refuses with both lines.
        if let first, first.level == entry.level, first.priority == entry.priority { continue }
        joined.modules.append(entry)
      }
      for entry in table.controllers where controllers.insert(ObjectIdentifier(entry.type)).inserted {
        joined.controllers.append(entry)
      }
    }
    return joined
  }

  private mutating func take(launcher name: String?) throws(FrameworkError) {
    guard let name else { return }
    if let launcher, launcher != name {
      throw FrameworkError(.launcherAmbiguous, .application(launcher), values: ["second": name])
    }
    launcher = name
  }

  private static func twice(_ first: ApplicationEntry, _ second: ApplicationEntry) -> FrameworkError {
    FrameworkError(
      .applicationRegisteredTwice, .application(first.name), at: first.place,
      values: [
        "first": "\(first.delegate)", "second": "\(second.delegate)",
        "other_place": second.place.map { " (\($0))" } ?? "",
      ])
  }
}
