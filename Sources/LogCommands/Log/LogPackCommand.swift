import ArgumentParser
import CommandKit
import MPaaSArchive
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log pack FOLDER… --since T --output F`: a window of time in one archive.
  struct Pack: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pack", key: "log.pack") }

    @Argument(help: .text("command.log.pack.folders"), completion: .file())
    var folders: [String] = []

    @Option(name: [.short, .long], help: .text("command.log.pack.output", valueName: "file"), completion: .file())
    var output: String

    @Option(help: .text("command.log.since", valueName: "time"))
    var since: String?

    @Option(help: .text("command.log.until", valueName: "time"))
    var until: String?

    @Option(help: .text("command.log.type", valueName: "type"))
    var type: [String] = []

    @Option(help: .text("command.log.pack.network"))
    var network: CollectionTask.Network = .wifi

    @Option(help: .text("command.log.pack.rule", valueName: "type=wifi|any"))
    var rule: [String] = []

    @Option(help: .text("command.log.pack.limit", valueName: "bytes"))
    var limit: UInt64?

    @Option(help: .text("command.log.pack.app", valueName: "key"))
    var app: String?

    @Option(help: .text("command.log.pack.user", valueName: "user"))
    var user: String?

    @Option(help: .text("command.log.pack.device", valueName: "device"))
    var device: String?

    @Flag(help: .text("command.log.utc"))
    var utc = false

    @Flag(help: .text("command.log.pack.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogPackResult {
      let file = try LogPackFile(output, replaces: force)
      let named = folders.isEmpty ? context.logFolder.map { [$0] } ?? [] : folders
      guard !named.isEmpty else { throw Diagnostic("log-no-files", exit: .usage) }
      let zone = LogZone(utc ? .utc : .local)
      var request = LogPackRequest(
        named, from: try since.map { try context.logTime($0, zone) } ?? .min,
        to: try until.map { try context.logTime($0, zone) } ?? context.logNow)
      request.types = Set(type.map { LogType(rawValue: $0) })
      request.network = network
      try request.add(rules: rule)
      request.sizeLimit = limit
      request.app = app
      request.user = user
      request.device = device
      let (manifest, size) = try file.pack(request, created: context.logNow)
      return LogPackResult(path: output, size: size, manifest: manifest)
    }
  }
}

extension CollectionTask.Network: ExpressibleByArgument {}

/// An archive that was made.
struct LogPackResult: Presentable {
  let path: String
  let size: UInt64
  let manifest: LogPackManifest

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let columns = [
      Table.Column(catalogue.text("text.log-type")), Table.Column(catalogue.text("text.log-path")),
      Table.Column(catalogue.text("text.log-size"), isNumeric: true),
      Table.Column(catalogue.text("text.log-records"), isNumeric: true),
    ]
    document.table(
      Table(
        columns: columns,
        rows: manifest.entries.map { entry in
          [
            StyledText(entry.type), StyledText(entry.path, .path),
            StyledText(ByteCount(entry.size).description, .number),
            StyledText(entry.records.map(String.init) ?? "–", .number),
          ]
        }))
    for left in manifest.leftOut {
      let values = ["path": left.path, "reason": catalogue.text("text.log-pack-left-\(left.reason.rawValue)")]
      document.line(StyledText(catalogue.text("text.log-pack-left", values), .warning))
    }
    let values = ["path": path, "size": ByteCount(size).description]
    document.line(StyledText(catalogue.text("text.log-packed", values)))
    return document
  }
}
