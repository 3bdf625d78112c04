import MPaaSNetwork
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import NetworkServingKit
package import ServingKit

extension LinkMeasurement: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    try results.put(record.timeline(of: await samples(in: context)))
    return .done
  }

  private func samples(in context: Context) async throws -> [LinkSample] {
    let recorder = LinkRecorder(try await LinkProbe(try ProbeTarget(target)), every: interval)
    let terminal = context.terminal
    // The samples up to an interruption count.
    return try await InterruptibleWork.run {
      await recorder.samples(for: length) { sample in
        let trip = sample.roundTrip.map { ReportNumber.milliseconds($0.inMilliseconds) } ?? "–"
        let rate = sample.downRate.map { "  " + ReportNumber.rate($0) } ?? ""
        let lost = terminal.catalogue.text("text.net-record-lost", ["count": "\(sample.lost)"])
        terminal.detail(StyledText("\(ReportNumber.seconds(sample.time))  \(trip)\(rate)  \(lost)", .faint))
      }
    }.value
  }
}
