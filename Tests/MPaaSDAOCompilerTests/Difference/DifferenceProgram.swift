import Foundation
import MPaaSDAO
import MPaaSTestSupport

@testable import MPaaSDAOCompiler

/// A program that has the interpreter and compiled code do the same calls; `Tests/GeneratedCode/DAODifference.swift` is
/// the rest of it.
struct DifferenceProgram {
  struct Call {
    let document: Int
    let method: String
    /// nil where the call begins or ends a transaction.
    let arguments: [DAOValue]?
    var table = ""
  }

  /// The name of a call that puts a row into the table, beside the document's methods.
  static let row = "!row"

  let folder: TemporaryFolder
  let compilations: [DAOCompilation]

  /// Compiles documents, whose modules get names of their own.
  init(_ documents: [[UInt8]], infersTypes: Bool) throws {
    folder = try TemporaryFolder()
    var compilations: [DAOCompilation] = []
    for (number, bytes) in documents.enumerated() {
      let text = String(decoding: bytes, as: UTF8.self)
        .replacing(/<module\s+name=("[^"]*"|'[^']*')/, with: "<module name=\"D\(number)\"")
      let file = folder.path + "/\(number).xml"
      try Data(text.utf8).write(to: URL(filePath: file))
      var options = DAOCompilation.Options()
      options.infersTypes = infersTypes
      options.refusesSQL = false
      options.globals = ["me", "you"]
      compilations.append(DAOCompilation([(file: file, bytes: Array(text.utf8))], options: options))
    }
    self.compilations = compilations
  }

  /// The sources of all documents, and the list of them.
  ///
  /// Each document has a function for its part of the list, as a long literal would take the compiler long.
  private func write() throws -> [String] {
    var sources: [String] = []
    for (number, compilation) in compilations.enumerated() {
      guard let source = compilation.source, let plans = compilation.plans.first?.plans else {
        throw DAOError(.xml, ["reason": "\(number): \(compilation.lines)"])
      }
      let path = folder.path + "/D\(number).swift"
      let code = source + "\n" + Self.function(number, plans) + Self.entry(number, plans)
      try Data(code.utf8).write(to: URL(filePath: path))
      sources.append(path)
    }
    let adding = compilations.indices.map { "documents.append(entry\($0)())\n" }.joined()
    let main = folder.path + "/main.swift"
    try Data("var documents: [Compiled] = []\n\(adding)try compare(documents)\n".utf8).write(to: URL(filePath: main))
    let rest = Fixture.package.appending(path: "Tests/GeneratedCode/DAODifference.swift").path
    return sources + [main, rest]
  }

  private static func entry(_ number: Int, _ plans: [MethodPlan]) -> String {
    let shapes = plans.filter { !$0.fields.isEmpty }.map { plan in
      let fields = plan.fields.map { "\(Swift.literal($0.property)): \"\(cast($0.type))\"" }
      return "\"\(plan.name)/\(plan.arguments.count)\": [\(fields.joined(separator: ", "))]"
    }
    let call = "{ dao, name, arguments in try call\(number)(dao as! D\(number), name, arguments) }"
    return """
      func entry\(number)() -> Compiled {
        let shapes: [String: [String: String]] = [\(shapes.isEmpty ? ":" : shapes.joined(separator: ", "))]
        return Compiled(open: { try D\(number)(databasePath: $0) }, call: \(call), shapes: shapes)
      }

      """
  }

  private static func cast(_ type: SwiftValueType) -> String {
    switch type.wrapped {
    case .integer: "integer"
    case .double: "real"
    case .string: "text"
    case .bytes: "blob"
    default: "value"
    }
  }

  // MARK: Calls

  private static func function(_ number: Int, _ plans: [MethodPlan]) -> String {
    var code = "func call\(number)(_ dao: D\(number), _ name: String, _ values: [DAOValue]) throws -> DAOOutcome {\n"
    code += "  switch \"\\(name)/\\(values.count)\" {\n"
    for plan in plans {
      let arguments = plan.arguments.enumerated().map { index, argument in
        "\(Swift.label(argument.name)): \(value(argument.type, "values[\(index)]"))"
      }
      code += "  case \"\(plan.name)/\(plan.arguments.count)\":\n"
      let call = "try dao.\(Swift.name(plan.name))(\(arguments.joined(separator: ", ")))"
      if plan.isSelect {
        code += "    let found = \(call)\n    return .result(\(result(plan, "found")))\n"
      } else {
        code += "    let changes = \(call)\n    return .changed(rows: changes.rows, lastRowID: changes.lastRowID)\n"
      }
    }
    return code + "  default: throw Skipped()\n  }\n}\n\n"
  }

  private static func value(_ type: SwiftValueType, _ expression: String) -> String {
    switch type {
    case .integer: "try integer(\(expression))"
    case .double: "try real(\(expression))"
    case .string: "try text(\(expression))"
    case .bytes: "try data(\(expression))"
    case .bool: "try flag(\(expression))"
    case .optional(let type): "try optional(\(expression)) { \(value(type, "$0")) }"
    case .list(let type): "try list(\(expression)) { \(value(type, "$0")) }"
    default: expression
    }
  }

  private static func result(_ plan: MethodPlan, _ expression: String) -> String {
    let row: String
    switch plan.row {
    case .row: row = "DAOValue.dictionary($0.dictionary)"
    case .object: row = "DAOValue.object($0)"
    case .made(let name):
      let members = plan.fields.map { field in
        let path = "$0.\(Swift.name(field.property))"
        return "\(Swift.literal(field.property)): \(field.type == .value ? path : "DAOValue(\(path))")"
      }
      let all = members.isEmpty ? ":" : members.joined(separator: ", ")
      row = "DAOValue.object(DAOObject(className: \(Swift.literal(name)), properties: [\(all)]))"
    default: row = "DAOValue($0)"
    }
    let optional = plan.row.first == nil ? "(%.map { \(row) } ?? .null)" : "DAOValue(%)"
    let one = plan.isList ? "DAOValue.list(%.map { \(row) })" : optional
    guard plan.method.method.loop != nil else { return one.replacing("%", with: expression) }
    return "DAOValue.list(\(expression).map { each in \(one.replacing("%", with: "each")) })"
  }

  // MARK: Running

  /// Compiles all of it and does calls; each list has databases of its own.
  ///
  /// - Returns: What the program prints: differences, and a line with the number of calls.
  func run(_ scenarios: [[Call]]) throws -> String {
    let program = folder.path + "/difference"
    let built = try Command.run(
      "swiftc", try Self.flags() + write() + Self.objects() + Self.libraries + ["-o", program])
    guard built.status == 0, built.errors.isEmpty else { return "not compiled: \(built.errors)" }
    var input = ""
    for scenario in scenarios {
      input += "new\n"
      for call in scenario {
        let values = call.arguments.map { Self.encoded(.list($0)) } ?? ""
        input += "\(call.document)\t\(call.method)\t\(call.table)\t\(values)\n"
      }
    }
    let outcome = try Command.run(program, [folder.path], input: input)
    return outcome.output + outcome.errors + (outcome.status == 0 ? "" : "status \(outcome.status)")
  }

  private static let targets = [
    "MPaaSDAO", "MPaaSDAORuntime", "MPaaSSQLite", "MPaaSSupport", "MPaaSXML", "MPaaSBase", "MPaaSLock", "MPaaSTime",
  ]

  static func flags() throws -> [String] {
    let maps = ["CAtomicWord", "CSQLite"].flatMap { name in
      ["-Xcc", "-fmodule-map-file=" + Command.products.appending(path: "\(name).build/module.modulemap").path]
    }
    return ["-swift-version", "6", "-warnings-as-errors", "-Onone", "-wmo", "-module-name", "Difference"]
      + ["-enforce-exclusivity=unchecked", "-Xfrontend", "-disable-llvm-verify"]
      + ["-I", Command.products.appending(path: "Modules").path]
      + ["-I", Fixture.package.appending(path: "Sources/CExpat").path] + maps
  }

  private static let libraries =
    ["sqlite3", "expat"].flatMap { ["-Xlinker", "-l:lib\($0).a"] } + ["-Xlinker", "-lm", "-Xlinker", "-lstdc++"]

  /// The targets of swift-crypto that encrypted databases need.
  private static let ciphers = [
    "Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims",
  ]

  /// The objects of the targets as they were built for the tests.
  private static func objects() throws -> [String] {
    let swift = try targets.flatMap { target in
      let folder = Command.products.appending(path: "\(target).build")
      let sources = FileManager.default.enumerator(
        at: Fixture.package.appending(path: "Sources/\(target)").resolvingSymlinksInPath(),
        includingPropertiesForKeys: nil)
      let names = Set(sources?.compactMap { ($0 as? URL)?.lastPathComponent } ?? [])
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".swift.o") && names.contains(String($0.dropLast(2))) }
        .map { folder.path + "/" + $0 }
    }
    let shims = (["CAtomicWord", "CSQLite"] + ciphers).flatMap { target in
      let folder = Command.products.appending(path: "\(target).build").path
      let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      return files.sorted().filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
    }
    return swift + shims
  }

  /// A value as the program reads it.
  static func encoded(_ value: DAOValue) -> String {
    func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { String(format: "%02x", $0) }.joined()
    }
    func members(_ members: [String: DAOValue]) -> String {
      "\(members.count);"
        + members.sorted { $0.key < $1.key }.map { "\(hexadecimal($0.key.utf8));\(encoded($0.value))" }.joined()
    }
    switch value {
    case .null: return "n"
    case .bool(let flag): return flag ? "t" : "f"
    case .integer(let number): return "i\(number);"
    case .real(let number): return "r\(number.bitPattern);"
    case .text(let text): return "s\(hexadecimal(text.utf8));"
    case .data(let bytes): return "d\(hexadecimal(bytes));"
    case .list(let elements): return "l\(elements.count);" + elements.map(encoded).joined()
    case .dictionary(let own): return "m" + members(own)
    case .object(let object): return "o\(hexadecimal(object.className.utf8));" + members(object.properties)
    }
  }
}
