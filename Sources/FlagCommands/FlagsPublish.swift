import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSAppServices
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FlagsCommand {
  /// `mpaas flags publish [ID]`: a proposal becomes a version; a state is signed for apps that verify it.
  struct Publish: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("publish", key: "flags.publish") }

    @Argument(help: .text("command.flags.publish.id"), completion: .flagProposals)
    var id: String?

    @Option(help: .text("command.flags.at", valueName: "time"))
    var at: String?

    @OptionGroup var source: FlagSourceOptions

    @Option(help: .text("command.flags.publish.repository", valueName: "folder"), completion: .directory)
    var repository: String?

    @Option(
      name: [.short, .long], help: .text("command.flags.publish.output", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var output: String?

    @Option(name: .customLong("for"), help: .text("command.flags.publish.for", valueName: "app"))
    var signedApp: String?

    @Option(help: .text("command.flags.publish.number", valueName: "number"))
    var number: Int?

    @Option(help: .text("command.flags.publish.expires", valueName: "time"))
    var expires = "30d"

    @Option(
      name: .customLong("key"), help: .text("command.flags.publish.key", valueName: "name"), completion: .keyNames)
    var keyNames: [String] = []

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      func problem(_ key: String) -> ValidationError { ValidationError(Catalogue.current.text(key)) }
      if id == nil, repository == nil, output == nil { throw problem("text.flags-publish-what") }
      if repository != nil, output != nil { throw problem("text.flags-publish-one-place") }
      if id == nil, at != nil { throw problem("text.flags-publish-at") }
      if id != nil, source.state != nil { throw problem("text.flags-publish-state") }
    }

    func run(in context: Context) async throws -> PublishedFlags {
      let signs = repository != nil || output != nil
      // A key that cannot sign is reported before anything is published.
      let signing = signs ? try signer(in: context) : nil
      var proposal: FlagProposal?
      if let id {
        let time = try at.map { try context.flagTime($0) }
        proposal = try await context.flagServer(source.server).publish(id, at: time)
      }
      guard let signing, proposal.map({ $0.state == .published }) ?? true else {
        return PublishedFlags(proposal: proposal, signed: nil)
      }
      let written = try await source.written(in: context)
      let published = try signing.publisher.publish(
        written, app: signedApp ?? source.server.app, number: number, expires: signing.expires, keys: signing.keys)
      return PublishedFlags(proposal: proposal, signed: published)
    }

    private func signer(
      in context: Context
    ) throws -> (publisher: FlagStatePublisher, keys: [SigningKey], expires: Date) {
      let expires = Date(timeIntervalSince1970: try context.flagTime(expires))
      let place: FlagStatePublisher.Place =
        output.map { .envelope($0) } ?? .repository(RepositoryEditor(repository ?? "", now: context.now))
      let publisher = FlagStatePublisher(place)
      let sealed = try publisher.sealedKeys(keyNames, of: context.keys)
      let keys = try passphrase.source(in: context).open(sealed).map { try $0.signingKey() }
      return (publisher, keys, expires)
    }
  }
}

/// A proposal that was published, and a state that was signed.
struct PublishedFlags: Presentable {
  private let proposal: FlagProposalView?
  private let signed: FlagStatePublisher.Published?

  init(proposal: FlagProposal?, signed: FlagStatePublisher.Published?) {
    self.proposal = proposal.map { FlagProposalView($0) }
    self.signed = signed
  }

  private enum CodingKeys: String, CodingKey {
    case proposal, app, number, expires, path, published, pending, complete
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(proposal, forKey: .proposal)
    guard let signed else { return }
    try container.encode(signed.flags.app, forKey: .app)
    try container.encode(signed.flags.version, forKey: .number)
    try container.encode(MetadataTime.text(signed.flags.expires), forKey: .expires)
    try container.encode(signed.path, forKey: .path)
    try container.encode(signed.outcome?.isComplete ?? true, forKey: .complete)
    guard let outcome = signed.outcome else { return }
    try container.encode(outcome.published, forKey: .published)
    try container.encode(outcome.pending + outcome.blocked, forKey: .pending)
  }

  /// Somebody has to sign before anybody gets it.
  var exit: ExitStatus { signed?.outcome?.isComplete ?? true ? .done : .tryAgain }

  func document(_ catalogue: Catalogue) -> Document {
    var document = proposal?.document(catalogue) ?? Document()
    guard let signed else { return document }
    let values = [
      "path": signed.path, "app": signed.flags.app, "number": "\(signed.flags.version)",
      "expires": MetadataTime.text(signed.flags.expires),
    ]
    document.line(StyledText(catalogue.text("text.flags-signed", values), .good))
    for role in (signed.outcome?.pending ?? []) + (signed.outcome?.blocked ?? []) {
      let missing = role.quorums.map(\.missing).max() ?? 0
      document.line(
        StyledText(catalogue.text("text.update-pending", ["role": role.role, "count": String(missing)]), .warning))
    }
    return document
  }
}
