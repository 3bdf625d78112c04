import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UpdateCommand {
  /// `mpaas update appcast [FILE]`: an appcast of Sparkle, written from a repository, or read.
  struct AppcastCommand: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("appcast", key: "update.appcast") }

    @Argument(help: .text("command.update.appcast.file"), completion: .file(extensions: ["xml"]))
    var file: String?

    @Option(help: .text("command.update.appcast.base", valueName: "url"))
    var base: String?

    @Option(help: .text("command.update.appcast.installed", valueName: "version"))
    var installed: String?

    @Option(help: .text("command.update.check.system-version", valueName: "version"))
    var systemVersion: String?

    @Option(help: .text("command.update.appcast.channel", valueName: "channel"))
    var channel: [String] = []

    @Option(help: .text("command.update.platform", valueName: "system"), completion: .updatePlatforms)
    var platform = "macos"

    @Option(help: .text("command.update.appcast.notes-language", valueName: "language"))
    var notesLanguage = "en"

    @OptionGroup var repository: UpdateRepositoryOptions

    @Option(help: .text("command.update.appcast.sign-key", valueName: "name"), completion: .keyNames)
    var signKey: String?

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
      name: [.short, .long], help: .text("command.update.appcast.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (file == nil) != (base == nil) else {
        throw ValidationError(Catalogue.current.text("text.update-appcast-usage"))
      }
    }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      if let file {
        try results.put(try read(file, in: context))
        return .done
      }
      let appcast = try made(in: context)
      guard let output, output != "-" else {
        results.put(text: appcast.xml)
        return .done
      }
      try Bytes(Array(appcast.xml.utf8)).write(to: output)
      try results.put(WrittenManifest(file: output, link: nil))
      return .done
    }

    private func read(_ file: String, in context: Context) throws -> AppcastView {
      let appcast = try Appcast(reading: Bytes.reading(file, limit: 8 << 20).array, file: file)
      var best: AppcastItem?
      if let installed {
        var request = AppcastRequest(
          installed: try UpdateFeed.version(installed), now: context.now().timeIntervalSince1970)
        request.systemVersion = systemVersion.flatMap { DottedVersion($0) }
        request.channels = Set(channel)
        request.system = platform
        best = appcast.best(for: request)
      }
      return AppcastView(appcast, best, installed)
    }

    private func made(in context: Context) throws -> Appcast {
      let publisher = try repository.publisher(in: context)
      let app = try publisher.app(named: repository.app)
      guard let feed = try publisher.feed(app: app) else {
        throw TrustError(.updateUnknown, ["app": app, "version": "*", "platforms": ""])
      }
      let signatures = try signatures(of: feed, publisher, in: context)
      return Appcast(feed, platform: platform, base: base ?? "", language: notesLanguage) { signatures[$0.path] }
    }

    /// The signatures of all packages, where a key is named.
    private func signatures(
      of feed: UpdateFeed, _ publisher: UpdatePublisher, in context: Context
    ) throws -> [String: String] {
      guard let signKey else { return [:] }
      let sealed = try context.keys.sealedKey(signKey)
      guard let key = try passphrase.source(in: context).open([sealed]).map({ try $0.signingKey() }).first else {
        return [:]
      }
      var draft = try publisher.editor.read()
      var signatures: [String: String] = [:]
      for release in feed.releases where release.platform == platform && release.state == .running {
        guard let file = release.file, let bytes = try draft.bytes(of: file.path) else { continue }
        signatures[file.path] = Base64.encode(Array(try key.sign(bytes.array)))
      }
      return signatures
    }
  }
}

/// An appcast as it was read.
struct AppcastView: Presentable {
  struct Item: Encodable {
    let version: String
    let title: String?
    let channel: String?
    let system: String?
    let minimumSystem: String?
    let critical: Bool
    let phasedInterval: Int?
    let url: String?
    let deltasFrom: [String]

    private enum CodingKeys: String, CodingKey {
      case version, title, channel, system, critical, url
      case minimumSystem = "minimum_system"
      case phasedInterval = "phased_interval"
      case deltasFrom = "deltas_from"
    }

    init(_ item: AppcastItem) {
      version = item.version.text
      title = item.title
      channel = item.channel
      system = item.system
      minimumSystem = item.minimumSystem
      critical = item.isCritical
      phasedInterval = item.phasedInterval
      url = item.file?.url
      deltasFrom = item.deltas.map(\.from.text)
    }
  }

  let title: String
  let items: [Item]
  let findings: [String]
  /// The version that the installed one would be updated to.
  let best: String?
  private let installed: String?

  private enum CodingKeys: String, CodingKey { case title, items, findings, best }

  init(_ appcast: Appcast, _ best: AppcastItem?, _ installed: String?) {
    title = appcast.title
    items = appcast.items.map(Item.init)
    findings = appcast.findings
    self.best = best?.version.text
    self.installed = installed
  }

  func document(_ catalogue: Catalogue) -> Document {
    let names = ["version", "channel", "minimum", "critical", "deltas", "url"]
    var table = Table(columns: names.map { Table.Column(catalogue.text("text.update-\($0)")) })
    for item in items {
      table.rows.append([
        StyledText(item.version, item.version == best ? .good : .emphasis), StyledText(item.channel ?? "–"),
        StyledText(item.minimumSystem ?? "–"), StyledText(item.critical ? "✓" : ""),
        StyledText(item.deltasFrom.joined(separator: ", ")), StyledText(item.url ?? "–", .path),
      ])
    }
    var document: Document = [.line(StyledText(title, .heading)), .table(table)]
    for finding in findings {
      document.line(StyledText(catalogue.text("text.update-appcast-left-out", ["reason": finding]), .warning))
    }
    if let installed {
      let key = best == nil ? "text.update-current" : "text.update-available"
      document.line(
        StyledText(catalogue.text(key, ["version": best ?? installed, "installed": installed]), .good))
    }
    return document
  }
}
