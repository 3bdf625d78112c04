import CommandKit
import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal
import NetworkCommands

/// A program on a network whose conditions are conducted: what holds throughout, what timelines change, and the journal.
struct ConductedRun: Sendable {
  let network: any RunNetwork
  let toxics: [Toxic]
  let timelines: [Timeline]
  let label: String
  /// Where the report goes: a journal where its name ends in `.jsonl`.
  let report: String?

  /// The conditions that this kind of network does not make.
  var uncovered: [Condition.Kind] {
    let all = Set((toxics + timelines.flatMap { $0.steps.flatMap(\.toxics) }).map(\.condition))
    return Condition.Kind.allCases.filter { kind in
      all.contains { $0.kind == kind && !network.mode.covers($0) }
    }
  }

  func run(_ program: ChildProgram) async throws -> ConditionedRun {
    let journal = try report.map { try NetworkJournal(appendingTo: Self.freshJournal(of: $0)) }
    try await network.setLayer("profile", toxics)
    journal?.note([state])
    journal?.note(event(.profileApplied, ["profile": label]))
    let players = timelines.enumerated().map { index, timeline in
      TimelinePlayer(
        timeline, note: { journal?.note($0) },
        apply: { [network] in try await network.setLayer("timeline\(index)", $0) })
    }
    for player in players { await player.start() }
    let sampling = Task { [network] in
      while !Task.isCancelled {
        journal?.note(await network.statistics())
        try? await Task.sleep(for: .seconds(1))
      }
    }
    defer { sampling.cancel() }
    let end = try await network.run(program)
    for player in players { await player.stop() }
    let statistics = await network.statistics()
    journal?.note(statistics)
    return ConditionedRun(mode: network.mode, end: end, statistics: statistics)
  }

  /// What holds throughout, as the journal takes it.
  private var state: ProxyDefinition {
    ProxyDefinition(
      name: network.mode == .namespace ? "tunnel" : "run", kind: .forward, listen: "", toxics: toxics)
  }

  private func event(_ kind: NetworkEvent.Kind, _ details: [String: String]) -> NetworkEvent {
    NetworkEvent(time: NetworkJournal.now(), kind: kind, details: details)
  }

  private static func isJournal(_ report: String) -> Bool { report.hasSuffix(".jsonl") }

  /// Beside the report while the program runs, so that a kill leaves what was told until then.
  private static func journal(of report: String) -> String { isJournal(report) ? report : report + ".jsonl" }

  /// The journal's path, with nothing of an earlier run in it where it is only on the way to a report.
  private static func freshJournal(of report: String) throws(FileError) -> String {
    let path = journal(of: report)
    if !isJournal(report) { try Bytes([]).write(to: path) }
    return path
  }

  /// Makes the report of the journal, where not the journal itself was asked for.
  func writeReport(in context: Context) throws {
    guard let report, !Self.isJournal(report) else { return }
    let path = Self.journal(of: report)
    let made = NetworkReport(try Journal(try TextFile.reading(path), file: path))
    try Bytes(Array(made.text(forFile: report, context.catalogue).utf8)).write(to: report)
    try? FileSystem.remove(path)
  }
}

extension ConditionedRun.Mode {
  /// Whether a condition is made on such a network.
  func covers(_ condition: Condition) -> Bool {
    guard self == .namespace else { return ProxyDefinition.Kind.forward.takes(condition.kind) }
    return switch condition.kind {
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .slicer, .limitData, .slowClose, .resetPeer:
      false
    default: true
    }
  }
}

extension ChildProgram {
  /// Runs as somebody else, in whose home it finds itself.
  mutating func become(_ identity: UserIdentity) {
    user = identity
    environment["HOME"] = identity.home
    environment["USER"] = identity.name
    environment["LOGNAME"] = identity.name
  }
}
