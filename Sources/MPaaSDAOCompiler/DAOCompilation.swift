package import MPaaSDAO
package import MPaaSDeclarations

/// Swift for DAO documents: a class per module, whose methods run the document's statements.
package struct DAOCompilation: Sendable {
  /// The findings in a document.
  package struct Report: Sendable {
    package let file: String
    package let findings: [DAOFinding]
  }

  package struct Options: Sendable {
    package var access = DAOAccessLevel.internal
    /// False where arguments without a declared type are `DAOValue`.
    package var infersTypes = true
    /// Names that the app registers for all methods.
    package var globals: Set<String> = []
    /// False where statements are compiled that SQLite refuses, as tests of the refusals need it.
    package var refusesSQL = true

    package init() {}
  }

  /// A compiled module.
  package struct Module: Sendable {
    package let name: String
    package let file: String
    /// The number of its methods.
    package let methodCount: Int
  }

  /// The findings, warnings included, document by document.
  package let reports: [Report]
  package let modules: [Module]
  /// The source; nil where a document has an error.
  package let source: String?
  /// The methods, for code that calls all of them.
  let plans: [(module: String, plans: [MethodPlan], structures: [(name: String, fields: [RowField])])]

  package var hasErrors: Bool { reports.contains { $0.findings.contains { $0.severity == .error } } }

  /// Compiles documents.
  ///
  /// - Parameters:
  ///   - documents: The bytes of each, and the file that findings name.
  ///   - types: The types of the app's sources.
  package init(
    _ documents: [(file: String, bytes: [UInt8])], types: [TypeDeclaration] = [], options: Options = Options()
  ) {
    let sources = SourceTypes(types)
    var reports: [Report] = []
    var parts: [SwiftCode] = []
    var modules: [Module] = []
    var all: [(module: String, plans: [MethodPlan], structures: [(name: String, fields: [RowField])])] = []
    for (file, bytes) in documents {
      var findings = DAOCheck.findings(bytes, globals: options.globals)
      if !options.refusesSQL { findings.removeAll { $0.code == .sql } }
      if !findings.contains(where: { $0.severity == .error }), let program = try? DAOProgram(reading: bytes, file: file)
      {
        var planner = MethodPlanner(program, sources, infersTypes: options.infersTypes)
        let plans = planner.plans()
        findings += planner.findings
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let structures = planner.made
        if modules.contains(where: { $0.name == program.document.name }) {
          findings.append(DAOFinding(.duplicateMethod, at: program.document.position, ["name": program.document.name]))
        }
        var writer = ModuleWriter(program, plans, structures, sources, options.access, file: name)
        writer.write()
        parts.append(writer.code)
        modules.append(Module(name: program.document.name, file: file, methodCount: plans.count))
        all.append((Swift.name(program.document.name), plans, structures))
      }
      reports.append(Report(file: file, findings: findings.sorted { $0.position < $1.position }))
    }
    self.reports = reports
    self.modules = modules
    plans = all
    let isRefused = reports.contains { $0.findings.contains { $0.severity == .error } }
    source = isRefused ? nil : Self.source(parts, documents.map(\.file), all.flatMap(\.plans), options.access)
  }

  private static func source(
    _ parts: [SwiftCode], _ files: [String], _ plans: [MethodPlan], _ access: DAOAccessLevel
  ) -> String {
    var code = SwiftCode()
    let names = files.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: ", ")
    code.line("// Made by `mpaas dao compile` of \(names). What is changed here is lost when it is made again.")
    code.line()
    code.line("\(access.word)import MPaaSDAORuntime")
    let types = plans.flatMap { $0.arguments.map(\.type) + $0.fields.map(\.type) }
    if types.contains(where: \.needsFoundation) {
      code.line()
      code.line("#if canImport(FoundationEssentials)")
      code.line("  \(access.word)import FoundationEssentials")
      code.line("#else")
      code.line("  \(access.word)import Foundation")
      code.line("#endif")
    }
    code.line()
    for part in parts { code.append(part) }
    return code.text
  }
}
