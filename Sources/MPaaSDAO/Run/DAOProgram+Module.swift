extension DAOProgram {
  /// The parts of the document that sessions need, with the interpreter's way to make its table.
  package var module: DAOModule {
    var initialize: DAOModule.Work?
    if let name = document.initializer {
      initialize = { session throws(DAOError) in
        let method = try self.method(name, [])
        _ = try DAOInterpreter(self, session).run(method.units, self.scope(method.slotCount, [], session.surroundings))
      }
    }
    let upgrades = upgrades.map { upgrade in
      let work: DAOModule.Work = { session throws(DAOError) in
        let scope = self.scope(upgrade.slotCount, [], session.surroundings)
        _ = try DAOInterpreter(self, session).run(upgrade.units, scope)
      }
      return (version: upgrade.upgrade.version, work: work)
    }
    return DAOModule(
      name: document.name, file: document.file, tableName: document.tableName, version: document.version,
      resetsOnUpgrade: document.resetsOnUpgrade, leastVersion: document.leastVersion, initialize: initialize,
      upgrades: upgrades, secrets: document.secrets, methodNames: document.methods.map(\.name),
      constantCount: constantCount)
  }
}
