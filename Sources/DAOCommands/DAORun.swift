import ArgumentParser
import CommandKit
import MPaaSDAO
import MPaaSSupport
import MPaaSTerminal

extension DAOCommand {
  /// `mpaas dao run FILE`: calls of methods on a database, one a line.
  struct Run: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("run", key: "dao.run") }

    @Argument(help: .text("command.dao.run.file"), completion: .file(extensions: ["xml"]))
    var file: String

    @Option(help: .text("command.dao.run.database", valueName: "path"), completion: .file())
    var database: String

    @Option(help: .text("command.dao.run.calls", valueName: "path"), completion: .file())
    var calls = "-"

    @Option(help: .text("command.dao.explain.globals", valueName: "json"))
    var globals: String?

    @Option(help: .text("command.dao.explain.table", valueName: "name"))
    var table: String?

    @Option(help: .text("command.dao.run.key-file", valueName: "path"), completion: .file())
    var keyFile: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let interpreter = DAOInterpreter(try DAOInput.program(file), try DAOConnection(database))
      let around = DAOSurroundings(
        globals: try DAOInput.globals(globals), table: table, crypt: try DAOInput.crypt(keyFile))
      let lines = try Bytes.reading(calls == "-" ? "/dev/stdin" : calls, limit: 1 << 28).array
      for (index, line) in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        let answer = DAOReport.answer(to: try call(line, index + 1), by: interpreter, around)
        results.put(text: answer.line + "\n")
      }
      return .done
    }

    private func call(_ line: ArraySlice<UInt8>, _ number: Int) throws -> JSONValue {
      do {
        return try line.withUnsafeBytes { try JSONValue(reading: $0) }
      } catch let error as JSONError {
        let place = Place.text(file: calls, line: number, column: error.column)
        throw Diagnostic(
          "dao-json", ["name": calls, "reason": error.code.rawValue], at: place, exit: .malformedInput)
      }
    }
  }
}
