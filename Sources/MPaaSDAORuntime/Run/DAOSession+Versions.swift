import MPaaSSQLite
import MPaaSSupport

// The version of a table stands in TableVersions; it is compared with the document's before the first call.
extension DAOSession {
  /// Makes the table where it is missing, and brings it to the version of the document.
  ///
  /// - Throws: `dao-upgrade` where that fails, `dao-sql` where the initializer does; nothing is changed then, and the
  ///   next call tries again.
  package func prepareTable() throws(DAOError) {
    guard !isReady() else { return }
    guard module.initialize != nil || !module.upgrades.isEmpty || module.resetsOnUpgrade else {
      // Readers need no look either.
      return makeReady(tableKey)
    }
    let key = tableKey
    var happened: [DAOEvent] = []
    do {
      try connection.atomically { () throws(DAOError) in try bring(key, &happened) }
      makeReady(key)
      events += happened
    } catch {
      if error.code == .upgrade { events.append(.upgradeFailed(table: key)) }
      throw error
    }
  }

  private func bring(_ table: String, _ happened: inout [DAOEvent]) throws(DAOError) {
    _ = try connection.run("create table if not exists TableVersions (tableName text primary key, version text)")
    guard let version = module.version else { return }
    guard let stored = try storedVersion(of: table) else {
      try run(module.initialize)
      try stamp(table, version)
      happened.append(.tableCreated(table: table))
      return
    }
    guard let old = DottedVersion(stored), old < version else { return }
    events.append(.upgradeBegan(table: table))
    do {
      if try upgrade(table, from: old) { happened += [.tableDeleted(table: table), .tableCreated(table: table)] }
      try stamp(table, version)
    } catch {
      var values = error.values
      values["reason"] = error.values["reason"] ?? error.code.id
      values.merge(["table": table, "from": stored, "to": version.text]) { $1 }
      throw DAOError(.upgrade, values, at: error.position)
    }
  }

  private func run(_ work: DAOModule.Work?) throws(DAOError) {
    do {
      try work?(self)
    } catch let error as DAOError {
      throw error
    } catch {
      throw DAOError(.database, ["reason": "\(error)"])
    }
  }

  private func storedVersion(of table: String) throws(DAOError) -> String? {
    var version: String?
    try connection.forEach("select version from TableVersions where tableName = ?", [.text(table)]) {
      row throws(DAOError) in
      version = row.text(0)
      return false
    }
    return version
  }

  private func stamp(_ table: String, _ version: DottedVersion) throws(DAOError) {
    let values: [DAOValue] = [.text(table), .text(version.text)]
    _ = try connection.run("insert or replace into TableVersions (tableName, version) values (?, ?)", values)
  }

  /// Runs the upgrades that lie between, or makes the table anew.
  ///
  /// - Returns: Whether it was made anew.
  private func upgrade(_ table: String, from old: DottedVersion) throws(DAOError) -> Bool {
    if module.resetsOnUpgrade || module.leastVersion.map({ old < $0 }) ?? false {
      _ = try connection.run("drop table if exists \(DAOName.quoted(table))")
      try run(module.initialize)
      return true
    }
    for upgrade in module.upgrades where old < upgrade.version { try run(upgrade.work) }
    return false
  }
}
