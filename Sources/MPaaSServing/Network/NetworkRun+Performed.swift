import MPaaSNetwork
package import MPaaSSupport
package import MPaaSTerminal
package import NetworkServingKit
package import ServingKit

extension NetworkRun: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let wanted = try conditions.wanted(in: context)
    let timelines = try timelines(of: wanted.profile, in: context)
    let label = wanted.label.isEmpty ? timeline ?? command[0] : wanted.label
    let run = try await finished(toxics: wanted.toxics, timelines, label, in: context)
    try results.put(run)
    return run.exit
  }

  private func finished(
    toxics: [Toxic], _ timelines: [Timeline], _ label: String, in context: Context
  ) async throws -> FinishedRun {
    var program = ChildProgram(command, environment: context.environment)
    if let user { try program.become(UserIdentity(named: user)) }
    let ready = program
    return try await ChildSignals.held {
      let made = try await made(label, in: context)
      let conducted = ConductedRun(on: made, toxics: toxics, timelines: timelines, label: label, report: report)
      tell(conducted, in: context)
      do {
        let run = try await conducted.run(ready)
        await made.end()
        try conducted.writeReport { $0.text(forFile: $1, context.catalogue) }
        return FinishedRun(
          mode: run.mode.rawValue, conditions: label, status: run.end.status, signal: run.end.signal,
          pid: run.end.process, statistics: run.statistics)
      } catch {
        await made.end()
        throw error
      }
    }
  }

  private func made(_ label: String, in context: Context) async throws -> any RunNetwork {
    if network != .proxy {
      do throws(NetworkError) {
        let ledger = ShapingLedger(data: context.directories.data)
        let made = try await NamespaceNetwork(
          NamespaceNetwork.Options(hostPorts: hostPorts, label: label, seed: seed), ledger: ledger)
        if let problem = made.nameProblem { context.terminal.warning(problem.diagnostic) }
        return made
      } catch {
        guard network == .any else { throw error }
        // Without rights that is the rule, and the note on what is not covered says it.
        if error.code != .namespaceRefused { context.terminal.warning(error.diagnostic) }
      }
    }
    if let other = ProxyVariables.replaced(in: context.environment) {
      context.terminal.note(StyledText(context.catalogue.text("text.net-run-replaced", ["proxy": other])))
    }
    return try await ProxyNetwork(bypass: bypass, seed: seed)
  }

  /// Tells what is covered and what is not, in a line on standard error.
  private func tell(_ run: ConductedRun, in context: Context) {
    let catalogue = context.catalogue
    context.terminal.note(StyledText(catalogue.text("text.net-run-\(run.network.mode.rawValue)"), .faint))
    let missing = run.uncovered.map(\.rawValue)
    guard !missing.isEmpty else { return }
    context.terminal.warning(
      Diagnostic("net-run-not-covered", ["conditions": missing.joined(separator: ", ")], exit: .done))
  }
}
