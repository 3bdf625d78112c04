package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A change of the past, with the rollout that it was of.
package struct RolloutEvent: Sendable, Equatable {
  package let rollout: Rollout
  package let change: Rollout.Change
}

/// The patches that a device gets, and the reasons.
package struct RolloutForecast: Sendable, Equatable {
  package let facts: DeviceFacts
  package let decisions: [RolloutDecision]
  package let offers: [Rollout]
}

/// A device of which a user tells some facts.
package struct DeviceDescription: Sendable, Equatable {
  package var id: String
  package var appVersion: String?
  package var city: String?
  package var model: String?
  package var network: String?
  package var systemVersion: String?

  package init(id: String) {
    self.id = id
  }

  /// The facts; an app version and a channel that were not told are such that they decide nothing.
  func facts(for document: RolloutDocument, channel: String?) -> DeviceFacts {
    let channels = Set(document.rollouts.map(\.channel))
    let version = appVersion ?? document.rollouts.last?.appVersions.example
    return DeviceFacts(
      id: id, app: document.app, appVersion: version ?? "0",
      channel: channel ?? (channels.count == 1 ? channels.first : nil) ?? "release", city: city, model: model,
      network: network, systemVersion: systemVersion)
  }
}

/// Looks at what is staged or published; nothing is written.
extension RolloutPublisher {
  /// The documents of all apps, or of one, with what crash totals would make of them.
  ///
  /// - Throws: `TrustError` `rollout-unknown` where the app has none; what `RolloutDocument.record` throws.
  package func documents(
    app: String?, totals: () throws -> CrashTotals? = { nil }
  ) throws -> [RolloutDocument] {
    var documents = try documents().filter { document in app.map { $0 == document.app } ?? true }
    if let app, documents.isEmpty { throw Self.unknown(app: app) }
    guard let totals = try totals() else { return documents }
    for index in documents.indices where totals.app == nil || totals.app == documents[index].app {
      _ = try documents[index].record(totals, reason: CrashTotals.reason, at: editor.now())
    }
    return documents
  }

  /// The changes of the rollouts that are meant, oldest first.
  ///
  /// - Throws: `TrustError` as `app(of:)`, `rollout-unknown`, `patch-version-malformed`.
  package func history(of choice: RolloutChoice) throws(TrustError) -> (app: String, events: [RolloutEvent]) {
    let app = try app(of: choice)
    let rollouts = try choice.rollouts(of: try known(app))
    let events = rollouts.flatMap { rollout in rollout.history.map { RolloutEvent(rollout: rollout, change: $0) } }
    // Events of the same second, as the text has it, stay in the order in which they were made.
    let sorted = events.enumerated().map { (time: MetadataTime.text($1.change.time), place: $0, event: $1) }
      .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
    return (app, sorted.map(\.event))
  }

  /// The patches that a device would get after some changes.
  ///
  /// - Throws: `TrustError` `rollout-unknown`, what the changes throw.
  package func forecast(
    for device: DeviceDescription, _ choice: RolloutChoice, after changes: RolloutChanges
  ) throws(TrustError) -> RolloutForecast {
    var document = try known(try app(of: choice))
    let time = editor.now()
    if !changes.isEmpty { try changes.apply(to: try choice.index(in: document), of: &document, at: time) }
    let facts = device.facts(for: document, channel: choice.channel)
    let decisions = try document.decisions(for: facts, at: time).filter { decision in
      choice.patch.map { $0 == decision.patch } ?? true
    }
    return RolloutForecast(facts: facts, decisions: decisions, offers: try document.offers(for: facts, at: time))
  }

  private func known(_ app: String) throws(TrustError) -> RolloutDocument {
    guard let document = try document(app: app) else { throw Self.unknown(app: app) }
    return document
  }
}
