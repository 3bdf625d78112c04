import ArgumentParser
import CommandKit
import MPaaSRPC
import MPaaSSupport
import MPaaSTerminal

extension RPCCommand {
  /// `mpaas rpc stats FILE…`: what the spans of calls tell, by operation.
  struct Stats: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("stats", key: "rpc.stats") }

    @Argument(help: .text("command.rpc.stats.files", valueName: "file"), completion: .file(extensions: ["jsonl"]))
    var files: [String]

    @Option(help: .text("command.rpc.stats.operation", valueName: "pattern"))
    var operation = "*"

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RPCStatsView {
      let pattern = Glob(operation)
      let metrics = RPCMetrics()
      for file in files {
        for span in try RPCSpanFile.spans(in: file) where pattern.matches(span.operation) { metrics.observe(span) }
      }
      return RPCStatsView(metrics.snapshot)
    }
  }
}

/// The numbers of operations, a line each, those with the most calls first.
struct RPCStatsView: Presentable {
  struct Operation: Encodable, Sendable {
    let operation: String
    let calls: Int
    let failures: Int
    let errors: [String: Int]
    let retries: Int
    let hedged: Int
    let cached: Int
    let shared: Int
    let sentBytes: Int
    let receivedBytes: Int
    let medianMilliseconds: Double
    let p95Milliseconds: Double
    let p99Milliseconds: Double
    let longestMilliseconds: Double

    private enum CodingKeys: String, CodingKey {
      case operation, calls, failures, errors, retries, hedged, cached, shared
      case sentBytes = "sent_bytes"
      case receivedBytes = "received_bytes"
      case medianMilliseconds = "median_ms"
      case p95Milliseconds = "p95_ms"
      case p99Milliseconds = "p99_ms"
      case longestMilliseconds = "longest_ms"
    }
  }

  let operations: [Operation]

  init(_ metrics: [String: RPCOperationMetrics]) {
    func milliseconds(_ span: TimeSpan) -> Double { (Double(span.nanoseconds) / 1e4).rounded() / 100 }
    operations = metrics.map { name, numbers in
      Operation(
        operation: name, calls: numbers.calls, failures: numbers.failures, errors: numbers.errors,
        retries: numbers.retries, hedged: numbers.hedged, cached: numbers.cached, shared: numbers.shared,
        sentBytes: numbers.sentBytes, receivedBytes: numbers.receivedBytes,
        medianMilliseconds: milliseconds(numbers.latency.percentile(0.5)),
        p95Milliseconds: milliseconds(numbers.latency.percentile(0.95)),
        p99Milliseconds: milliseconds(numbers.latency.percentile(0.99)),
        longestMilliseconds: milliseconds(numbers.latency.longest))
    }
    .sorted { ($1.calls, $0.operation) < ($0.calls, $1.operation) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !operations.isEmpty else { return [.line(StyledText(catalogue.text("text.rpc-no-calls"), .faint))] }
    let names = ["operation", "calls", "failures", "median", "p95", "p99", "retries", "hedged", "cached", "errors"]
    let columns = names.map { name in
      Table.Column(
        catalogue.text("text.rpc-column-\(name)"), isNumeric: name != "operation" && name != "errors",
        isOptional: ["hedged", "cached", "retries", "errors"].contains(name))
    }
    return [.table(Table(columns: columns, rows: operations.map(row)))]
  }

  private func row(_ operation: Operation) -> [StyledText] {
    let errors = operation.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let numbers = [
      "\(operation.medianMilliseconds)", "\(operation.p95Milliseconds)", "\(operation.p99Milliseconds)",
      "\(operation.retries)", "\(operation.hedged)", "\(operation.cached)",
    ]
    return [
      StyledText(operation.operation, .emphasis), StyledText("\(operation.calls)", .number),
      StyledText("\(operation.failures)", operation.failures > 0 ? .bad : .number),
    ] + numbers.map { StyledText($0, .number) }
      + [StyledText(errors.map { "\($0.key) \($0.value)" }.joined(separator: ", "))]
  }
}
