import ArgumentParser
import CommandKit
import MPaaSDAO
import MPaaSSupport
import MPaaSTerminal

extension DAOCommand {
  /// `mpaas dao explain FILE METHOD`: the statements of a call, which does not run.
  struct Explain: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("explain", key: "dao.explain") }

    @Argument(help: .text("command.dao.explain.file"), completion: .file(extensions: ["xml"]))
    var file: String

    @Argument(help: .text("command.dao.explain.method"))
    var method: String

    @Option(help: .text("command.dao.explain.arguments", valueName: "json"))
    var arguments = "[]"

    @Option(help: .text("command.dao.explain.globals", valueName: "json"))
    var globals: String?

    @Option(help: .text("command.dao.explain.table", valueName: "name"))
    var table: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      do {
        let statements = try statements()
        results.put(text: common.json ? Self.json(statements) : statements.map(Self.text).joined())
        return .done
      } catch let error as DAOError {
        // Readers of the result learn the reason there, too.
        if common.json { results.put(text: JSONValue.object(["error": .string(error.code.id)]).line + "\n") }
        throw DAOReasons.diagnostic(error, context.catalogue)
      }
    }

    private func statements() throws -> [DAOStatement] {
      let program = try DAOProgram(reading: DAOInput.bytes(file), file: file)
      let json = try DAOInput.json(arguments, "--arguments")
      let values = try DAOReport.arguments(json, of: method, program.document)
      let around = DAOSurroundings(globals: try DAOInput.globals(globals), table: table)
      return try program.explain(method, values, around)
    }

    private static func json(_ statements: [DAOStatement]) -> String {
      JSONValue.object(["statements": DAOReport.statements(statements)]).line + "\n"
    }

    private static func text(_ statement: DAOStatement) -> String {
      let values = statement.bindings.map { "  \($0.json.line)\n" }.joined()
      return (statement.kind == .statement ? "" : "\(statement.kind.rawValue): ") + statement.sql + "\n" + values
    }
  }
}
