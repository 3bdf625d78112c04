import MPaaSDAO
import MPaaSSupport

/// Writes the class of a module.
struct ModuleWriter {
  private let program: DAOProgram
  private let plans: [MethodPlan]
  private let structures: [(name: String, fields: [RowField])]
  private let sources: SourceTypes
  private let access: DAOAccessLevel
  private let file: String
  private let rules: RuleTable
  private(set) var code = SwiftCode()

  init(
    _ program: DAOProgram, _ plans: [MethodPlan], _ structures: [(name: String, fields: [RowField])],
    _ sources: SourceTypes, _ access: DAOAccessLevel, file: String
  ) {
    self.program = program
    self.plans = plans
    self.structures = structures
    self.sources = sources
    self.access = access
    self.file = file
    rules = RuleTable("\(Swift.bare(program.document.name))Rules")
  }

  private var document: DAODocument { program.document }
  private var typeName: String { Swift.name(document.name) }

  mutating func write() {
    var body = SwiftCode()
    for (number, plan) in plans.enumerated() {
      var writer = MethodWriter(plan, number, rules, sources, document, file, access)
      writer.write()
      body.append(writer.code)
    }
    for structure in structures { body.append(self.structure(structure.name, structure.fields)) }
    let makers = tableMakers()
    body.append(makers.code)
    for name in objectNames where body.has("value(of: ") { body.append(valueFunction(name)) }
    let head = head(makers.initialize, makers.upgrades)
    let word = access.word
    code.line("/// The methods of the module `\(document.name)`.")
    code.block("\(word)final class \(typeName): CompiledDAO {") { code in
      code.append(head)
      code.append(body)
    }
    code.line()
    guard !rules.declarations.isEmpty else { return }
    code.line("/// The constants of `\(document.name)`: its statements, and what its elements say.")
    let declarations = rules.declarations
    code.block("private enum \(rules.typeName) {") { code in declarations.forEach { code.line($0) } }
    code.line()
  }

  // MARK: The class

  private func head(_ initialize: String?, _ upgrades: [String]) -> SwiftCode {
    var code = SwiftCode()
    let word = access.word
    code.line("/// The database and the settings.")
    code.line("\(word)let storage: DAOStorage")
    code.line()
    code.line("/// Creates an object on a database that is open for this module.")
    code.line("\(word)init(storage: DAOStorage) { self.storage = storage }")
    code.line()
    code.line("/// Opens a database; it is made where it is missing.")
    code.line("///")
    code.line("/// - Parameter key: 32 secret bytes that the database is encrypted with; nil for a plain one.")
    code.line("/// - Throws: `dao-database`; `dao-key-wrong`, `dao-key-missing`, `dao-not-encrypted`.")
    code.block("\(word)convenience init(databasePath: String, key: [UInt8]? = nil) throws(DAOError) {") {
      $0.line("self.init(storage: try DAOStorage(Self.module, databasePath: databasePath, key: key))")
    }
    code.line()
    var parts = ["\(Swift.literal(document.name)), file: \(Swift.literal(file))"]
    parts.append("table: \(document.tableName.map(Swift.literal) ?? "nil")")
    parts.append("version: \(Swift.literal(document.version?.text ?? ""))")
    if document.resetsOnUpgrade { parts.append("resetsOnUpgrade: true") }
    if let least = document.leastVersion { parts.append("upgradeMinVersion: \(Swift.literal(least.text))") }
    if let initialize {
      parts.append("initialize: { session throws(DAOError) in try \(typeName).\(initialize)(session) }")
    }
    if !upgrades.isEmpty { parts.append("upgrades: [\n      \(upgrades.joined(separator: ",\n      ")),\n    ]") }
    let secrets = document.secrets.sorted { ($0.className, $0.property) < ($1.className, $1.property) }
    if !secrets.isEmpty {
      let texts = secrets.map { "DAOSecret(\(Swift.literal($0.className)), \(Swift.literal($0.property)))" }
      parts.append("secrets: [\(texts.joined(separator: ", "))]")
    }
    parts.append("methods: \(Swift.list(document.methods.map(\.name)))")
    parts.append("constants: \(rules.constantCount)")
    code.line("private static let module = DAOModule(")
    code.line("  " + parts.joined(separator: ", ") + ")")
    code.line()
    return code
  }

  /// The functions that make the table and bring it to newer versions.
  private func tableMakers() -> (code: SwiftCode, initialize: String?, upgrades: [String]) {
    var code = SwiftCode()
    var initialize: String?
    if let name = document.initializer, let written = document.method(name, 0),
      let method = program.methods[written.signature]
    {
      initialize = "makeTable"
      code.append(maker("makeTable", method.units))
    }
    var upgrades: [String] = []
    for (index, upgrade) in program.upgrades.enumerated() {
      code.append(maker("upgrade\(index)", upgrade.units))
      let work = "{ session throws(DAOError) in try \(typeName).upgrade\(index)(session) }"
      upgrades.append("(\(Swift.literal(upgrade.upgrade.version.text)), \(work))")
    }
    return (code, initialize, upgrades)
  }

  private func maker(_ name: String, _ units: [DAOUnit]) -> SwiftCode {
    var code = SwiftCode()
    var functions = SwiftCode()
    var calls: [String] = []
    for (index, unit) in units.enumerated() {
      var writer = StatementWriter(rules)
      writer.write(unit.nodes)
      functions.append(MethodWriter.function("\(name)_\(index)", writer.code, [], unit))
      functions.line()
      calls.append("try \(name)_\(index)(session)")
    }
    code.block("private static func \(name)(_ session: DAOSession) throws(DAOError) {") { code in
      if units.first?.kind == .attempt, calls.count == 2 {
        code.block("_ = try session.attempt(\(calls[0])) { () throws(DAOError) -> DAOStatement? in") {
          $0.line(calls[1])
        }
      } else {
        for call in calls { code.line("_ = try session.run(\(call))") }
      }
    }
    code.line()
    code.append(functions)
    return code
  }

  // MARK: Types

  private func structure(_ name: String, _ fields: [RowField]) -> SwiftCode {
    var code = SwiftCode()
    let word = access.word
    code.line("/// A row of the queries whose result is `\(name)`; what a query does not give is nil.")
    code.block("\(word)struct \(Swift.name(name)): Sendable, Hashable {") { code in
      for field in fields {
        code.line("/// The column `\(field.column)`.")
        code.line("\(word)var \(Swift.name(field.property)): \(field.type.text)")
      }
      code.line()
      code.line("/// Creates a row.")
      let parameters = fields.map { field in
        "\(Swift.name(field.property)): \(field.type.text) = \(field.type == .value ? ".null" : "nil")"
      }
      code.block("\(word)init(\(parameters.joined(separator: ", "))) {") { code in
        for field in fields { code.line("self.\(Swift.name(field.property)) = \(Swift.name(field.property))") }
      }
    }
    code.line()
    return code
  }

  /// The types of the sources that arguments have.
  private var objectNames: [String] {
    func names(_ type: SwiftValueType) -> [String] {
      switch type {
      case .object(let name): [name]
      case .list(let element), .optional(let element): names(element)
      default: []
      }
    }
    return Set(plans.flatMap { $0.arguments.flatMap { names($0.type) } }).sorted()
  }

  private func valueFunction(_ name: String) -> SwiftCode {
    var code = SwiftCode()
    code.block("private static func value(of object: \(name)) -> DAOValue {") { code in
      let pairs = sources.properties(of: name).map { property in
        "\(Swift.literal(property.name)): \(property.type.value(of: "object.\(Swift.name(property.name))"))"
      }
      let members = pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
      code.line(".object(DAOObject(className: \(Swift.literal(name)), properties: \(members)))")
    }
    code.line()
    return code
  }
}
