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
        level.level, tag, "", type: LogType(rawValue: type), subsystem: subsystem, fields: try fields.map(Self.field))
      let options = LogWriterOptions(recipients: try recipients.map { try context.keys.recipient($0) })
      let writer = try LogWriter(opening: folder, options)
      defer { writer.close() }
      var count = 0
      func write(_ entry: LogEntry) {
        writer.append(entry)
        count += 1
      }
      for message in messages { write(template.saying(message)) }
      if messages.isEmpty {
        var lines = InputLines()
        while try lines.next({ number, line in
          let entry = jsonLines ? try template.reading(json: line, number: number) : template.saying(String(utf8: line))
          if let entry { write(entry) }
        }) {}
      }
      guard writer.seal() else { throw FileError(.write, folder, .noSpace) }
      return LogWritten(folder: folder, records: count)
    }

    private static func field(_ text: String) throws -> LogField {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw LogError(.fieldMalformed, ["value": text]) }
      let value: LogValue =
        switch parts[1] {
        case "true": .flag(true)
        case "false": .flag(false)
        default: Int64(parts[1]).map { .integer($0) } ?? .text(parts[1])
        }
      return LogField(parts[0], value)
    }
  }
}

extension LogEntry {
  /// The same with another message.
  fileprivate func saying(_ message: String) -> LogEntry {
    var entry = self
    entry.message = message
    return entry
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
