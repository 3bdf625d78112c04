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

/// A version as commands show it.
struct ReleaseView: Encodable {
  struct Delta: Encodable {
    let from: String
    let size: Int
  }

  let app: String
  let version: String
  let platform: String
  let channel: String
  let state: String
  let percent: Double
  let prompt: String
  let published: String
  let size: Int?
  let sha256: String?
  let page: String?
  let minimumSystem: String?
  let forceBelow: String?
  let deadline: String?
  let notes: [String: String]
  let deltas: [Delta]

  private enum CodingKeys: String, CodingKey {
    case app, version, platform, channel, state, percent, prompt, published, size, sha256, page, deadline, notes, deltas
    case minimumSystem = "minimum_system"
    case forceBelow = "force_below"
  }

  init(_ release: UpdateRelease, app: String) {
    self.app = app
    version = release.version.text
    platform = release.platform
    channel = release.channel
    state = release.state.rawValue
    percent = Double(release.basisPoints) / 100
    prompt = release.prompt.rawValue
    published = MetadataTime.text(release.published)
    size = release.file?.length
    sha256 = release.file?.sha256
    page = release.page
    minimumSystem = release.minimumSystem?.text
    forceBelow = release.forceBelow?.text
    deadline = release.deadline.map { MetadataTime.text($0) }
    notes = release.notes
    deltas = release.deltas.map { Delta(from: $0.from.text, size: $0.file.length) }
  }

  private func row(_ catalogue: Catalogue) -> [StyledText] {
    let tone: TextRole = state == "running" ? .good : state == "paused" ? .warning : .faint
    return [
      StyledText(version, .emphasis), StyledText(platform), StyledText(channel),
      StyledText(catalogue.text("text.update-state-\(state)"), tone), StyledText("\(Self.short(percent)) %", .number),
      StyledText(prompt), StyledText(size.map { ByteCount(UInt64($0)).description } ?? "–", .number),
      StyledText(deltas.isEmpty ? "–" : deltas.map(\.from).joined(separator: ", ")),
    ]
  }

  private static func short(_ percent: Double) -> String {
    percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
  }

  static func table(_ releases: [ReleaseView], _ catalogue: Catalogue) -> Table {
    let names = ["version", "platform", "channel", "state", "percent", "prompt", "size", "deltas"]
    return Table(
      columns: names.map { Table.Column(catalogue.text("text.update-\($0)")) }, rows: releases.map { $0.row(catalogue) }
    )
  }
}

/// The effect of a change of a version.
struct UpdateChanged: Presentable {
  private let release: ReleaseView
  private let feedVersion: Int
  private let outcome: RepositoryEditor.Outcome

  init(_ change: UpdatePublisher.Change) {
    release = ReleaseView(change.release, app: change.feed.app)
    feedVersion = change.feed.version
    outcome = change.outcome
  }

  private enum CodingKeys: String, CodingKey {
    case release, published, pending, complete
    case feedVersion = "feed_version"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(release, forKey: .release)
    try container.encode(feedVersion, forKey: .feedVersion)
    try container.encode(outcome.published, forKey: .published)
    try container.encode(outcome.pending + outcome.blocked, forKey: .pending)
    try container.encode(outcome.isComplete, forKey: .complete)
  }

  /// Somebody has to sign before anybody gets it.
  var exit: ExitStatus { outcome.isComplete ? .done : .tryAgain }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [.table(ReleaseView.table([release], catalogue))]
    for role in outcome.pending + outcome.blocked {
      let missing = role.quorums.map(\.missing).max() ?? 0
      document.line(
        StyledText(catalogue.text("text.update-pending", ["role": role.role, "count": String(missing)]), .warning))
    }
    return document
  }
}
