import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log ls FOLDER…`: which logs there are.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("ls", key: "log.ls") }

    @Argument(help: .text("command.log.files"), completion: .file())
    var files: [String] = []

    @Option(help: .text("command.log.type", valueName: "type"))
    var type: [String] = []

    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogFileList {
      let named = files.isEmpty ? [context.logFolder ?? "."] : files
      let opened = try opening.opening(in: context)
      let listings = LogListing.all(try LogFiles.files(in: named), opened).filter {
        type.isEmpty || type.contains($0.type?.rawValue ?? "")
      }
      return LogFileList(listings, zone: opening.zone)
    }
  }
}

/// Files of logs, a row each.
struct LogFileList: Presentable {
  struct File: Encodable {
    let path: String
    let format: String
    let type: String?
    let size: UInt64
    let encrypted: Bool
    let first: String?
    let last: String?
    let records: Int?
    let gaps: Int
    let staging: Bool
    /// The reason why it cannot be read.
    let problem: String?
  }

  let files: [File]

  init(_ listings: [LogListing], zone: LogZone) {
    files = listings.map { listing in
      File(
        path: listing.path, format: listing.format.rawValue, type: listing.type?.rawValue, size: listing.size,
        encrypted: listing.isEncrypted, first: listing.first.map { Self.text($0, zone) },
        last: listing.last.map { Self.text($0, zone) }, records: listing.records, gaps: listing.gaps,
        staging: listing.isStaging, problem: listing.problem?.code.id.name)
    }
  }

  static func text(_ time: Int64, _ zone: LogZone) -> String {
    var zone = zone
    var text: [UInt8] = []
    zone.append(time, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !files.isEmpty else { return [.line(StyledText(catalogue.text("text.log-none"), .faint))] }
    let columns = [
      Table.Column(catalogue.text("text.log-path")), Table.Column(catalogue.text("text.log-type")),
      Table.Column(catalogue.text("text.log-format")), Table.Column(catalogue.text("text.log-size"), isNumeric: true),
      Table.Column(catalogue.text("text.log-records"), isNumeric: true),
      Table.Column(catalogue.text("text.log-first")), Table.Column(catalogue.text("text.log-last"), isOptional: true),
      Table.Column(catalogue.text("text.log-state")),
    ]
    let rows = files.map { file in
      [
        StyledText(file.path, .path), StyledText(file.type ?? "–"), StyledText(file.format),
        StyledText(ByteCount(file.size).description, .number),
        StyledText(file.records.map(String.init) ?? "–", .number),
        StyledText(file.first ?? "–"), StyledText(file.last ?? "–"), state(file, catalogue),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }

  private func state(_ file: File, _ catalogue: Catalogue) -> StyledText {
    if let problem = file.problem { return StyledText(problem, .bad) }
    var words: [String] = []
    if file.encrypted { words.append(catalogue.text("text.log-encrypted")) }
    if file.staging { words.append(catalogue.text("text.log-staging")) }
    if file.gaps > 0 { words.append(catalogue.text("text.log-gaps", ["count": String(file.gaps)])) }
    return StyledText(words.joined(separator: ", "), file.gaps > 0 ? .bad : .faint)
  }
}
