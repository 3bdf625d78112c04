import MPaaSSQLite
import MPaaSSupport

// The version of a table stands in TableVersions; it is compared with the document's before the first call.
extension DAOInterpreter {
  /// Makes the table where it is missing, and brings it to the version of the document.
  ///
  /// - Throws: `dao-upgrade` where that fails, `dao-sql` where the initializer does; nothing is changed then, and the
  ///   next call tries again.
  func prepareTable(_ around: DAOSurroundings) throws(DAOError) {
    let document = program.document
    guard document.initializer != nil || !program.upgrades.isEmpty || document.resetsOnUpgrade else { return }
    let table = around.table ?? document.tableName
    let key = table ?? document.name
    guard !readyTables.contains(key) else { return }
    var events: [DAOEvent] = []
    do {
      try connection.atomically { () throws(DAOError) in try bring(key, around, &events) }
      readyTables.insert(key)
      events.forEach { onEvent?($0) }
    } catch {
      if error.code == .upgrade { onEvent?(.upgradeFailed(table: key)) }
      throw error
    }
  }

  private func bring(
    _ table: String, _ around: DAOSurroundings, _ events: inout [DAOEvent]
  ) throws(DAOError) {
    _ = try connection.run("create table if not exists TableVersions (tableName text primary key, version text)")
    guard let version = program.document.version else { return }
    guard let stored = try storedVersion(of: table) else {
      try initialize(around)
      try stamp(table, version)
      events.append(.tableCreated(table: table))
      return
    }
    guard let old = DottedVersion(stored), old < version else { return }
    onEvent?(.upgradeBegan(table: table))
    do {
      if try upgrade(table, from: old, around) { events += [.tableDeleted(table: table), .tableCreated(table: table)] }
      try stamp(table, version)
    } catch {
      let reason = error.values["reason"] ?? error.code.id
      let values = ["table": table, "from": stored, "to": version.text, "reason": reason]
      throw DAOError(.upgrade, values, at: error.position)
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

  private func initialize(_ around: DAOSurroundings) throws(DAOError) {
    guard let name = program.document.initializer else { return }
    let method = try program.method(name, [])
    _ = try run(method.units, program.scope(method.slotCount, [], around))
  }

  /// Runs the upgrades that lie between, or makes the table anew.
  ///
  /// - Returns: Whether it was made anew.
  private func upgrade(
    _ table: String, from old: DottedVersion, _ around: DAOSurroundings
  ) throws(DAOError) -> Bool {
    let document = program.document
    if document.resetsOnUpgrade || document.leastVersion.map({ old < $0 }) ?? false {
      _ = try connection.run("drop table if exists \(DAOName.quoted(table))")
      try initialize(around)
      return true
    }
    for upgrade in program.upgrades where old < upgrade.upgrade.version {
      _ = try run(upgrade.units, program.scope(upgrade.slotCount, [], around))
    }
    return false
  }
}
