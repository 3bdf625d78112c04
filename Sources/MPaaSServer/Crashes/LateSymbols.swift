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
  /// Issues that get their names in one change of the database.
  private static let atOnce = 4

  /// A file that was found of a build, and whom it does not help.
  private struct File {
    /// Issues of a file that helps none, after which the others are not tried.
    private static let mostInVain = 16
    private static let most = 100_000

    let file: String
    private var helps = false
    private(set) var inVain: Set<Int64> = []

    init(_ file: String) { self.file = file }

    /// Tells whether other issues are to be left alone, too.
    var isUseless: Bool { !helps && inVain.count >= Self.mostInVain || inVain.count >= Self.most }

    /// Notes whether an issue got its names.
    mutating func note(_ issue: Int64, isNamed: Bool) {
      if isNamed { helps = true } else { inVain.insert(issue) }
    }
  }

  private struct State {
    var looked = -Double.infinity
    /// The build before the next one of a look that is under way.
    var after = ""
    /// By the build.
    var files: [String: File] = [:]
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
      for (build, name) in await symbols.files(of: builds) {
        var file = state.withLock { $0.files[build].flatMap { $0.file == name ? $0 : nil } } ?? File(name)
        if !file.isUseless { await self.name(build, &file) }
        state.withLock { $0.files[build] = file }
      }
      place = next
      state.withLock { $0.after = next }
    }
  }

  private struct Naming: Sendable {
    let app: String
    let issue: Int64
    /// Nil where there is no crash left.
    let summary: CrashSummary?
  }

  /// Names the issues that lacked a build.
  private func name(_ build: String, _ file: inout File) async {
    var place = (app: "", issue: Int64.min)
    while !file.isUseless {
      let after = place
      let issues = try? await services.store.read {
        try MissingImages.issues(lacking: build, after: after, limit: Self.batch, in: $0)
      }
      guard let issues, let last = issues.last else { return }
      var namings: [Naming] = []
      for (app, issue, crash) in issues where !file.inVain.contains(issue) && !file.isUseless {
        var summary: CrashSummary?
        if let crash { summary = await symbols.summary(of: crash) }
        let isNamed = !(summary?.missing.contains { $0.build == build } ?? false)
        if summary != nil { file.note(issue, isNamed: isNamed) }
        guard isNamed else { continue }
        namings.append(Naming(app: app, issue: issue, summary: summary))
        if namings.count == Self.atOnce {
          await store(namings, of: build)
          namings = []
        }
      }
      await store(namings, of: build)
      place = (last.app, last.issue)
    }
  }

  private func store(_ namings: [Naming], of build: String) async {
    if namings.isEmpty { return }
    let (memory, now) = (services.issues, services.now())
    let fresh = try? await services.store.write { database in
      try namings.compactMap { naming -> IssueMemory.Fresh? in
        try MissingImages.remove(build, naming.app, naming.issue, in: database)
        guard let summary = naming.summary else { return nil }
        return try SymbolService.name(naming.issue, app: naming.app, by: summary, memory, at: now, in: database)
      }
    }
    for fresh in fresh ?? [] { memory.learn(fresh) }
    services.counts.add("symbolicated.issue", Int64(namings.count { $0.summary != nil }))
  }
}
