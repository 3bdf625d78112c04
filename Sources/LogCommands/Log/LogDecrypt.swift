import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension LogCommand {
  /// `mpaas log decrypt FILE…`: all records as text or JSON lines, or nothing where one of them cannot be read.
  struct Decrypt: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("decrypt", key: "log.decrypt") }

    @Argument(help: .text("command.log.decrypt.files"), completion: .file())
    var files: [String]

    @Option(
      name: .shortAndLong, help: .text("command.log.decrypt.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let inputs = try context.logInputs(files, try opening.opening(in: context), LogQuery())
      let export = LogExport(inputs, as: context.terminal.settings.isJSON ? .json : .text(opening.zone.place))
      guard let output = ResultPlace(output).file else {
        return context.tell(try export.write { results.put(bytes: $0) })
      }
      return context.tell(try export.write(to: output))
    }
  }
}
