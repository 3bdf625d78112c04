import ArgumentParser
import CommandKit
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log decrypt FILE…`: all records as text or JSON lines, or nothing where one of them cannot be read.
  struct Decrypt: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("decrypt", key: "log.decrypt") }

    @Argument(help: .text("command.log.decrypt.files"), completion: .file())
    var files: [String]

    @Option(
      name: .shortAndLong, help: .text("command.log.decrypt.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogReadOutcome {
      let options = LogReadOptions(LogQuery())
      let inputs = try context.logInputs(files, try opening.opening(in: context), options.query)
      let target = try output.outputFile.map { try PartialFile(beside: $0) }
      let isJSON = context.terminal.settings.isJSON
      var text = LogText(opening.zone.place)
      var lines: [UInt8] = []
      func flush() throws {
        try lines.withUnsafeBytes { bytes in
          if let target { try target.append(bytes) } else { context.terminal.data.writeBytes(bytes) }
        }
        lines.removeAll(keepingCapacity: true)
      }
      let summary = try LogMerge(inputs, options).run { item in
        if isJSON {
          text.appendJSON(item.record, hasLevel: item.hasLevel, to: &lines)
        } else {
          text.append(item.record, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
        if lines.count > 1 << 16 { try flush() }
        return true
      }
      try flush()
      if summary.problems.isEmpty { try target?.finish(mode: 0o600) } else { target?.discard() }
      return LogReadOutcome(summary.problems, in: context)
    }
  }
}
