import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The choice of installations that a server knows.
struct PushReceiverOptions: ParsableArguments {
  @Option(help: .text("command.push.user", valueName: "user"), completion: .pushInstallations { [$0.user ?? ""] })
  var user: String?

  @Option(help: .text("command.push.topic-tag", valueName: "tag"), completion: .pushInstallations { $0.tags })
  var topicTag: String?

  /// The question for them; nil where none is chosen.
  var query: PushInstallationQuery? {
    user == nil && topicTag == nil ? nil : PushInstallationQuery(user: user, tag: topicTag)
  }
}

extension CompletionKind {
  /// Words of the newest installations of the server that a command would ask.
  static func pushInstallations(_ words: @escaping @Sendable (PushInstallationEntry) -> [String]) -> CompletionKind {
    candidates { input in
      // `--token` of these commands is no token of the server's.
      guard input.option("--token") == nil, let server = try TypedServer(input),
        let body = try server.body(ServerPaths.pushInstallations + "?limit=500")
      else { return Candidates() }
      let page = try JSONDecoder().decode(PushInstallationPage.self, from: Data(body))
      return Candidates(Set(page.installations.flatMap(words)).subtracting([""]).sorted().map { Candidate($0) })
    }
  }
}

extension PushEnvironment: ExpressibleByArgument {
  /// Apple's address of the environment.
  var address: String {
    switch self {
    case .production: "https://api.push.apple.com"
    case .sandbox: "https://api.sandbox.push.apple.com"
    }
  }
}

extension PushCommand {
  /// `mpaas push tokens`: the installations that a server knows.
  struct Tokens: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("tokens", key: "push.tokens") }

    @OptionGroup var receivers: PushReceiverOptions

    @Option(help: .text("command.push.tokens.topic", valueName: "bundle-id"))
    var topic: String?

    @Option(help: .text("command.push.tokens.environment"))
    var environment: PushEnvironment?

    @Option(help: .text("command.push.tokens.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.push.tokens.cursor", valueName: "word"))
    var cursor: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushInstallationList {
      var query = receivers.query ?? PushInstallationQuery()
      (query.topic, query.environment) = (topic, environment)
      let page = try await server.server(in: context).installations(query, limit: limit, cursor: cursor)
      return PushInstallationList(installations: page.installations, cursor: page.cursor)
    }
  }
}

/// Installations, a line each; tokens whole in JSON only.
struct PushInstallationList: Presentable {
  let installations: [PushInstallationEntry]
  let cursor: String?

  func document(_ catalogue: Catalogue) -> Document {
    guard !installations.isEmpty else { return [.line(StyledText(catalogue.text("text.push-none"), .faint))] }
    let columns = ["token", "user", "tags", "locale", "topic", "environment"].map {
      Table.Column(catalogue.text("text.push-\($0)"), isOptional: ["user", "locale", "tags"].contains($0))
    }
    let rows = installations.map { entry in
      [
        StyledText(entry.shortToken, .emphasis), StyledText(entry.user ?? ""),
        StyledText(entry.tags.joined(separator: " ")), StyledText(entry.locale ?? ""), StyledText(entry.topic),
        StyledText(entry.environment.rawValue),
      ]
    }
    var document: Document = [.table(Table(columns: columns, rows: rows))]
    if let cursor { document.line(StyledText(catalogue.text("text.push-more", ["cursor": cursor]), .faint)) }
    return document
  }
}

extension PushInstallationEntry {
  /// The token's beginning and end, by which it is known and cannot be used.
  fileprivate var shortToken: String { token.count > 20 ? "\(token.prefix(8))…\(token.suffix(6))" : token }
}
