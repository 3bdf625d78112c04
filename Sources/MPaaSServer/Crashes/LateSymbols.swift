import MPaaSDatabase
import MPaaSSupport
import MPaaSSymbols
import Synchronization

/// Looks whether symbols have come of builds that they were missing of, and names the issues anew that lacked them.
///
/// No crash moves to another issue: they are grouped by what their reports tell, whatever symbols there are.
final class LateSymbols: Sendable {
  /// Seconds between two looks at all builds.
  private static let pause = 15.0
  /// Builds of one step, and issues of one.
  private static let batch = 200

  private struct State {
    var looked = -Double.infinity
    /// The build before the next one of a look that is under way.
    var after = ""
    /// Files that were found and tell no names, by the build.
    var useless: [String: String] = [:]
  }

  private let services: ServerServices
  private let symbols: SymbolService
  private let state = Mutex(State())

  init(_ services: ServerServices, _ symbols: SymbolService) {
    (self.services, self.symbols) = (services, symbols)
  }

  /// Goes on until all builds were looked at or the time is over.
  func look(for patience: Duration) async {
    let end = ContinuousClock.now + patience
    let (now, after) = (services.now(), state.withLock { $0.after })
    if after.isEmpty {
      guard now - state.withLock({ $0.looked }) >= Self.pause else { return }
      symbols.renew()
    }
    var place = after
    while ContinuousClock.now < end {
      let last = place
      let builds = try? await services.store.read { try MissingImages.builds(after: last, limit: Self.batch, in: $0) }
      guard let builds, let next = builds.last else {
        return state.withLock { ($0.looked, $0.after) = (now, "") }
      }
      for (build, file) in await symbols.files(of: builds) where state.withLock({ $0.useless[build] != file }) {
        if await !name(build) { state.withLock { $0.useless[build] = file } }
      }
      place = next
      state.withLock { $0.after = next }
    }
  }

  /// Names the issues that lacked a build; false where its file tells no names.
  private func name(_ build: String) async -> Bool {
    var place = (app: "", issue: Int64.min)
    while true {
      let after = place
      let issues = try? await services.store.read {
        try MissingImages.issues(lacking: build, after: after, limit: Self.batch, in: $0)
      }
      guard let issues, let last = issues.last else { return true }
      for (app, issue, crash) in issues {
        if let crash, let summary = await symbols.summary(of: crash) {
          if summary.missing.contains(where: { $0.build == build }) { return false }
          await symbols.name(issue, by: summary)
          services.counts.add("symbolicated.issue")
        }
        try? await services.store.write { try MissingImages.remove(build, app, issue, in: $0) }
      }
      services.missing.forget()
      place = (last.app, last.issue)
    }
  }
}
