import MPaaSSupport

/// A program on a network whose conditions are conducted: what holds throughout, what timelines change, and the
/// journal.
package struct ConductedRun: Sendable {
  package let network: any RunNetwork
  private let toxics: [Toxic]
  private let timelines: [Timeline]
  private let label: String
  private let report: String?
  private let pause: @Sendable () async -> Void

  /// - Parameters:
  ///   - toxics: The conditions that hold throughout.
  ///   - label: Their name in the journal.
  ///   - report: The file that the report goes to; a journal where its name ends in `.jsonl`, nil for none.
  ///   - pause: Waits between two samples of the statistics.
  package init(
    on network: any RunNetwork, toxics: [Toxic], timelines: [Timeline], label: String, report: String?,
    pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
  ) {
    self.network = network
    self.toxics = toxics
    self.timelines = timelines
    self.label = label
    self.report = report
    self.pause = pause
  }

  /// The conditions that this kind of network does not make.
  package var uncovered: [Condition.Kind] {
    let all = Set((toxics + timelines.flatMap { $0.steps.flatMap(\.toxics) }).map(\.condition))
    return Condition.Kind.allCases.filter { kind in
      all.contains { $0.kind == kind && !network.mode.covers($0) }
    }
  }

  /// Runs a program to its end, with what is applied and what passes written down.
  ///
  /// - Throws: `NetworkError`, `FileError` of the journal.
  package func run(_ program: ChildProgram) async throws -> ConditionedRun {
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
    let sampling = Task { [network, pause] in
      while !Task.isCancelled {
        journal?.note(await network.statistics())
        await pause()
      }
    }
    defer { sampling.cancel() }
    let end = try await network.run(program)
    for player in players { await player.stop() }
    let statistics = await network.statistics()
    journal?.note(statistics)
    return ConditionedRun(mode: network.mode, end: end, statistics: statistics)
  }

  /// The conditions throughout, as the journal takes it.
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

  /// Writes the report of the journal, where not the journal itself was asked for; the journal goes then.
  ///
  /// - Parameter text: The report in the form that the name of its file asks for.
  package func writeReport(_ text: (_ report: NetworkReport, _ file: String) -> String) throws {
    guard let report, !Self.isJournal(report) else { return }
    let path = Self.journal(of: report)
    let made = NetworkReport(try Journal(try TextFile.reading(path), file: path))
    try Bytes(Array(text(made, report).utf8)).write(to: report)
    try? FileSystem.remove(path)
  }
}

extension ConditionedRun.Mode {
  /// Says that a condition is made on such a network.
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
  package mutating func become(_ identity: UserIdentity) {
    user = identity
    environment["HOME"] = identity.home
    environment["USER"] = identity.name
    environment["LOGNAME"] = identity.name
  }
}
