import MPaaSSupport
import MPaaSXML

/// Looks for everything that is wrong with a document, and has SQLite prepare every statement of it.
package struct DAOCheck {
  private let document: DAODocument
  private let globals: Set<String>
  private var findings: [DAOFinding]
  /// The methods that could be compiled, in the document's order.
  private var methods: [DAOProgram.Method] = []
  private var upgrades: [DAOProgram.Upgrade] = []
  /// The work that may still be done for variants of statements.
  private var work = DAOVariants.allWork

  /// The findings in a document, in the order of their places.
  ///
  /// - Parameters:
  ///   - globals: Names that apps register for all methods.
  ///   - history: Earlier versions of the document, from which its upgrades are tried.
  package static func findings(
    _ bytes: [UInt8], globals: Set<String> = [], history: [DAODocument] = []
  ) -> [DAOFinding] {
    var reader = DAODocumentReader(file: nil)
    do {
      try reader.read(bytes)
    } catch {
      return reader.findings + [DAOFinding(error, at: DAOPosition(1, 1))]
    }
    var check = DAOCheck(reader, globals)
    check.compile()
    check.trySQL(history.filter { $0.name == reader.document.name })
    var seen: Set<DAOFinding> = []
    let found = check.findings.filter { seen.insert($0).inserted }
    return found.sorted { ($0.position, $0.code.id) < ($1.position, $1.code.id) }
  }

  private init(_ reader: DAODocumentReader, _ globals: Set<String>) {
    document = reader.document
    findings = reader.findings
    self.globals = globals
  }

  private mutating func report(_ error: DAOError) {
    findings.append(DAOFinding(error, at: document.position))
  }

  // MARK: Names

  private mutating func compile() {
    var allowance = document.allowance
    for (name, position) in document.fragmentPositions { checkFragment(name, position, &allowance) }
    allowance = document.allowance
    for method in document.methods {
      do {
        let (compiled, compiler) = try DAOProgram.compiled(method, document, &allowance)
        methods.append(compiled)
        checkNames(compiler)
        checkArguments(method, compiler)
      } catch {
        report(error)
      }
    }
    for upgrade in document.upgrades {
      do {
        let (compiled, compiler) = try DAOProgram.compiled(upgrade, document, &allowance)
        upgrades.append(compiled)
        checkNames(compiler)
      } catch {
        report(error)
      }
    }
  }

  private mutating func checkFragment(_ name: String, _ position: DAOPosition, _ allowance: inout Int) {
    var expander = DAOExpander(document, allowance: allowance)
    defer { allowance -= expander.size }
    do {
      _ = try expander.expand([.text(XMLText("${\(name)}", at: position))])
    } catch {
      report(error.placed(at: position))
    }
  }

  private mutating func checkNames(_ compiler: DAOCompiler) {
    findings += compiler.warnings
    for (name, position) in compiler.globals where !globals.contains(name) {
      findings.append(DAOFinding(.unknownArgument, at: position, ["name": name]))
    }
  }

  private mutating func checkArguments(_ method: DAOMethod, _ compiler: DAOCompiler) {
    for (slot, argument) in method.arguments.enumerated() {
      guard !compiler.used.contains(slot), slot != method.loop?.collection else { continue }
      findings.append(DAOFinding(.unusedArgument, .warning, at: method.position, ["name": argument.name]))
    }
  }

  // MARK: SQL

  private var table: String { document.tableName ?? "dao_table" }

  private func scope(_ slotCount: Int) -> DAOScope {
    DAOScope(
      slots: [DAOValue](repeating: .null, count: slotCount), globals: [:], table: table, secrets: [], crypt: nil)
  }

  private var initializer: DAOProgram.Method? {
    methods.first { $0.method.name == document.initializer && $0.method.arguments.isEmpty }
  }

  private mutating func trySQL(_ history: [DAODocument]) {
    do {
      let database = try DAOTrialDatabase(size: document.size)
      if let initializer { try database.run(initializer.units, scope(initializer.slotCount)) }
      let signature = initializer?.method.signature
      for method in methods where method.method.signature != signature {
        try database.undoing { () throws(DAOError) in tryUnits(method, in: database) }
      }
      for upgrade in upgrades { trySyntax(upgrade, in: database) }
      for old in history { tryUpgrades(from: old, to: database.columns(of: table)) }
    } catch {
      report(error)
    }
  }

  private mutating func tryUnits(_ method: DAOProgram.Method, in database: DAOTrialDatabase) {
    let column = database.columns(of: table).first ?? "rowid"
    for unit in method.units {
      let variants = DAOVariants(unit, scope(method.slotCount), column: column)
      do {
        let statements = try variants.statements(within: &work)
        guard !variants.hasRawReferences else { continue }
        for sql in statements { try prepare(sql, in: database) }
        if method.method.kind == .select { checkScans(statements, unit, in: database) }
        // The steps behind it may need what it makes.
        if method.units.count > 1, let sql = statements.first, Self.isDefinition(sql) { try? database.run(sql) }
      } catch {
        report(error.placed(at: unit.position))
      }
    }
  }

  private func prepare(_ sql: String, in database: DAOTrialDatabase) throws(DAOError) {
    do {
      try database.prepare(sql)
    } catch {
      let reason = error.values["reason"] ?? ""
      // A document that makes no table stands on those of others.
      if document.initializer == nil, reason.hasPrefix("no such table") { return }
      if reason == "not a statement" { return }
      throw DAOError(error.code, ["reason": reason, "sql": sql])
    }
  }

  /// Warns of a query that has conditions however it is called, and reads the whole table however it is called.
  private mutating func checkScans(_ statements: [String], _ unit: DAOUnit, in database: DAOTrialDatabase) {
    guard !statements.isEmpty,
      statements.allSatisfy({ $0.lowercased().has(" where ") && database.scans(table, $0) })
    else { return }
    findings.append(DAOFinding(.fullScan, .warning, at: unit.position, ["table": table]))
  }

  private static func isDefinition(_ sql: String) -> Bool {
    ["create ", "alter ", "drop "].contains { sql.lowercased().hasPrefix($0) }
  }

  /// Checks an upgrade's syntax alone: its tables are older than those that are there.
  private mutating func trySyntax(_ upgrade: DAOProgram.Upgrade, in database: DAOTrialDatabase) {
    for unit in upgrade.units {
      do {
        let variants = DAOVariants(unit, scope(upgrade.slotCount), column: "rowid")
        for sql in try variants.statements(within: &work) { try database.prepare(sql) }
      } catch {
        let reason = error.values["reason"] ?? ""
        let signs = ["syntax error", "unrecognized token", "incomplete input", "more than one statement"]
        if error.code != .sql || signs.contains(where: { reason.has($0) }) { report(error.placed(at: unit.position)) }
      }
    }
  }

  /// Makes the table of an earlier version and brings it to this one, as an app would.
  private mutating func tryUpgrades(from old: DAODocument, to columns: [String]) {
    guard let first = old.version, let last = document.version, first < last, !document.resetsOnUpgrade,
      document.leastVersion.map({ first >= $0 }) ?? true, let program = try? DAOProgram(old),
      let initializer = old.initializer.flatMap({ program.methods[DAOMethod.Signature(name: $0, count: 0)] })
    else { return }
    do {
      let database = try DAOTrialDatabase(size: document.size)
      try? database.run(initializer.units, scope(initializer.slotCount))
      for upgrade in upgrades where first < upgrade.upgrade.version {
        try database.run(upgrade.units, scope(upgrade.slotCount))
      }
      let missing = Set(columns).subtracting(database.columns(of: table)).sorted()
      guard !missing.isEmpty, let position = upgrades.last?.upgrade.body.position ?? Optional(document.position) else {
        return
      }
      let reason = "after the upgrades from \(first) the table lacks: " + missing.joined(separator: ", ")
      findings.append(DAOFinding(.version, at: position, ["version": last.text, "reason": reason]))
    } catch {
      report(error)
    }
  }
}
