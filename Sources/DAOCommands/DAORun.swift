import ArgumentParser
import CommandKit
import MPaaSDAO
import MPaaSSQLite
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
      let program = try DAOInput.program(file, context.catalogue)
      let key = try DAOInput.key(keyFile)
      let interpreter = DAOInterpreter(program, try connection(program, key))
      let around = DAOSurroundings(
        globals: try DAOInput.globals(globals), table: table, crypt: key.map { DAOCrypt.aes(key: $0) })
      let lines = try Bytes.reading(calls == "-" ? "/dev/stdin" : calls, limit: 1 << 28).array
      let name = context.name(ofData: calls)
      for (index, line) in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        let answer = DAOReport.answer(to: try call(line, index + 1, name), by: interpreter, around)
        results.put(text: answer.line + "\n")
      }
      return .done
    }

    /// Opens the database, which is encrypted where there is a key.
    ///
    /// A plain one that is there stays plain where the key is for properties that the document keeps encrypted in it.
    private func connection(_ program: DAOProgram, _ key: [UInt8]?) throws(DAOError) -> DAOConnection {
      do throws(DAOError) {
        return try DAOConnection(database, key: key.flatMap { DatabaseKey($0) })
      } catch {
        guard error.code == .notEncrypted, !program.document.secrets.isEmpty else { throw error }
        return try DAOConnection(database)
      }
    }

    private func call(_ line: ArraySlice<UInt8>, _ number: Int, _ file: String) throws -> JSONValue {
      do {
        return try line.withUnsafeBytes { try JSONValue(reading: $0) }
      } catch let error as JSONError {
        let place = Place.text(file: file, line: number, column: error.column)
        throw Diagnostic(
          "dao-json", ["name": file, "reason": error.code.rawValue], at: place, exit: .malformedInput)
      }
    }
  }
}
