import MPaaSCrash
import MPaaSCrashReport
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSSymbols
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Gives stored reports their symbols when somebody looks at them, and remembers the last few.
final class SymbolService: Sendable {
  private struct Known: Sendable {
    let crash: Int64
    let report: CrashReport
    let made: Double
  }

  /// A report with all its images may take a megabyte.
  private static let most = 8
  /// Seconds; then symbols that have come in the meantime are found.
  private static let lifetime = 60.0

  private let services: ServerServices
  private let search: Mutex<DebugFileSearch>
  private let known = Mutex<[Known]>([])

  init(_ services: ServerServices) {
    self.services = services
    search = Mutex(Self.search(services))
  }

  private static func search(_ services: ServerServices) -> DebugFileSearch {
    let environment = ProcessInfo.processInfo.environment
    return DebugFileSearch(
      paths: services.configuration.symbols, directories: Directories(environment: environment),
      environment: environment)
  }

  /// Forgets what was found, so that files which have come since are.
  func renew() {
    if !services.configuration.symbols.isEmpty { search.withLock { $0 = Self.search(services) } }
    known.withLock { $0.removeAll() }
  }

  /// The files that there are of builds, each with its size and time.
  func files(of builds: [String]) async -> [(build: String, file: String)] {
    let search = search.withLock { $0 }
    let found = try? await services.disk {
      builds.compactMap { build -> (build: String, file: String)? in
        guard let id = BuildID(hex: build) else { return nil }
        let finding = search.find(path: nil, buildID: id)
        guard let path = finding.debugFile?.path ?? finding.executable?.path else { return nil }
        let status = FileStatus(path)
        return (build, "\(path) \(status?.size ?? 0) \(status?.modifiedNanoseconds ?? 0)")
      }
    }
    return found ?? []
  }

  /// The report of a crash with what symbols are found on this machine; nil where there is no such crash.
  func report(of crash: Int64) async throws -> CrashReport? {
    let now = services.now()
    if let hit = known.withLock({ $0.first { $0.crash == crash && now - $0.made < Self.lifetime } }) {
      return hit.report
    }
    let found = try await services.store.read { database in
      try CrashStore.content(of: crash, in: database).map { content in
        (content: content, format: try CrashStore.crash(crash, in: database)?.format)
      }
    }
    guard let (content, stored) = found else { return nil }
    let bytes = try await CrashStore.report(content, of: crash, from: services.blobs)
    let search = search.withLock { $0 }
    let report = try await services.disk {
      let read = try bytes.withUnsafeBytes { bytes in
        // An event may be taken for another format where nothing but its envelope says what it is.
        guard stored != "sentry", let format = ReportFile.format(of: bytes) else {
          return try ReportFile.readSentryEvent(bytes)
        }
        return try format.report(of: bytes, search: search)
      }
      return ReportSymbolicator.live(search).symbolicate(read).report
    }
    known.withLock { known in
      known.removeAll { $0.crash == crash }
      known.append(Known(crash: crash, report: report, made: now))
      if known.count > Self.most { known.removeFirst() }
    }
    return report
  }

  /// Names a group by a crash of it, where its reports come without names; what cannot be read stays without.
  func name(_ group: Int64, by crash: Int64) async {
    guard let report = try? await report(of: crash) else { return }
    await name(group, by: report)
  }

  /// The facts of a crash with what symbols there are; nil where it cannot be read.
  func summary(of crash: Int64) async -> CrashSummary? {
    guard let report = try? await report(of: crash) else { return nil }
    return summary(report)
  }

  private func summary(_ report: CrashReport) -> CrashSummary {
    var classifier = FrameClassifier(rules: services.rules.current.rules, most: 1000)
    return CrashSummary(report, format: "", event: "", &classifier)
  }

  /// Names a group by a report of it.
  func name(_ group: Int64, by report: CrashReport) async {
    let (memory, now, summary) = (services.issues, services.now(), summary(report))
    let fresh = try? await services.store.write { database -> IssueMemory.Fresh? in
      let app = try database.row("SELECT app FROM crash_groups WHERE id = ?", [.integer(group)]) { $0.text(0) }
      return try app.map { try Self.name(group, app: $0, by: summary, memory, at: now, in: database) } ?? nil
    }
    if let fresh = fresh ?? nil { memory.learn(fresh) }
  }

  /// Names an issue, and notes the calls by which it is searched now that they have names.
  ///
  /// - Returns: What need not be noted again once this is on the disk; nil where the calls have no names.
  static func name(
    _ issue: Int64, app: String, by summary: CrashSummary, _ memory: IssueMemory, at time: Double,
    in database: any SQLDatabase
  ) throws -> IssueMemory.Fresh? {
    guard !summary.function.isEmpty else { return nil }
    try CrashStore.name(issue, function: summary.function, place: summary.place, in: database)
    return try IssueStore.learn(summary.facts.calls, group: issue, app: app, at: time, memory, in: database).fresh
  }
}
