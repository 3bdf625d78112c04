import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSLogReading
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

extension LogCommand {
  /// `mpaas log write [MESSAGE…]`: records from a script.
  struct Write: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("write", key: "log.write") }

    @Argument(help: .text("command.log.write.messages", valueName: "message"))
    var messages: [String] = []

    @Option(help: .text("command.log.write.folder", valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(help: .text("command.log.write.type", valueName: "type"))
    var type = LogType.diagnostic.rawValue

    @Option(
      name: [.short, .long], help: .text("command.log.write.level"),
      completion: .list(LogLevelName.allCases.map(\.rawValue)))
    var level = LogLevelName.info

    @Option(name: [.short, .long], help: .text("command.log.write.tag", valueName: "tag"))
    var tag = "script"

    @Option(help: .text("command.log.write.subsystem", valueName: "name"))
    var subsystem = ""

    @Option(name: .customLong("field"), help: .text("command.log.write.field", valueName: "name=value"))
    var fields: [String] = []

    @Option(name: .customLong("recipient"), help: .text("command.log.write.recipient", valueName: "age1…"))
    var recipients: [String] = []

    @Flag(name: .customLong("json-lines"), help: .text("command.log.write.json-lines"))
    var jsonLines = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogWritten {
      guard let folder = folder ?? context.logFolder, !folder.isEmpty else {
        throw LogError(.noFolder)
      }
      guard LogFolder(folder).isFolderName(type) else { throw LogError(.typeMalformed, ["type": type]) }
      let template = LogEntry(
        level.level, tag, "", type: LogType(rawValue: type), subsystem: subsystem,
        fields: try fields.map { try LogField(typed: $0) })
      let options = LogWriterOptions(recipients: try recipients.map { try context.keys.recipient($0) })
      let writer = try LogWriter(opening: folder, options)
      defer { writer.close() }
      var lines = InputLines()
      let count = try ScriptRecords(template, isJSON: jsonLines).write(messages, else: { try lines.next($0) }) {
        writer.append($0)
      }
      guard writer.seal() else { throw FileError(.write, folder, .noSpace) }
      return LogWritten(folder: folder, records: count)
    }
  }
}

/// The number of records that were written.
struct LogWritten: Presentable {
  let folder: String
  let records: Int

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.log-written", ["count": String(records), "folder": folder])))]
  }
}
