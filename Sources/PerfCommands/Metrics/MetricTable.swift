import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

/// The metrics of an app, each with its versions one below the other.
struct MetricTable: Presentable {
  private let groups: [MetricGroups.Group]
  private let names: [String]

  /// - Parameter name: Only metrics whose names have this word, in either case.
  init(_ groups: MetricGroups, name: String?) {
    self.groups = groups.all
    let word = name?.lowercased() ?? ""
    names = Set(self.groups.flatMap(\.metrics.keys)).sorted().filter {
      word.isEmpty || $0.lowercased().contains(word)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard !names.isEmpty else {
      document.line(StyledText(catalogue.text("text.perf-metrics-none"), .faint))
      return document
    }
    var rows: [[StyledText]] = []
    for name in names {
      for group in groups {
        guard let metric = group.metrics[name] else { continue }
        rows.append([
          StyledText(name, .emphasis), StyledText(group.title), StyledText("\(group.payloads)"),
          StyledText(Self.text(metric, catalogue), .number),
        ])
      }
    }
    let columns = ["name", "version", "payloads", "value"].map {
      Table.Column(catalogue.text("text.perf-metrics-\($0)"), isNumeric: $0 == "payloads")
    }
    document.table(Table(columns: columns, rows: rows))
    return document
  }

  private static func text(_ metric: Metric, _ catalogue: Catalogue) -> String {
    switch metric {
    case .sum(let measure): return text(measure)
    case .peak(let measure): return catalogue.text("text.perf-metrics-peak", ["value": text(measure)])
    case .mean(let measure, _): return catalogue.text("text.perf-metrics-mean", ["value": text(measure)])
    case .histogram(let histogram):
      guard let half = histogram.bound(0.5), let most = histogram.bound(0.99) else { return "0" }
      return catalogue.text(
        "text.perf-metrics-histogram",
        [
          "count": "\(histogram.count)", "half": text(Measure(half, histogram.unit)),
          "most": text(Measure(most, histogram.unit)),
        ])
    }
  }

  private static func text(_ measure: Measure) -> String {
    if measure.unit == "B", measure.value >= 0, measure.value < 1e18 {
      return ByteCount(UInt64(measure.value)).description
    }
    let rounded = (measure.value * 1000).rounded() / 1000
    let number = Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    return measure.unit.isEmpty ? number : "\(number) \(measure.unit)"
  }

  func encode(to encoder: any Encoder) throws {
    let versions = groups.map { group in
      JSONValue.object([
        "version": .string(group.version), "build": .string(group.build), "payloads": JSONValue(group.payloads),
        "metrics": .object(
          JSONValue.Object(
            names.compactMap { name in group.metrics[name].map { (name, Self.json($0)) } }, uniquingKeysWith: { $1 })),
      ])
    }
    try JSONValue.object(["versions": .array(versions)]).encode(to: encoder)
  }

  private static func json(_ metric: Metric) -> JSONValue {
    func object(_ kind: JSONValue, _ measure: Measure, _ more: [String: JSONValue] = [:]) -> JSONValue {
      let own: [String: JSONValue] = [
        "kind": kind, "unit": .string(measure.unit), "value": JSONValue(measure.value) ?? .null,
      ]
      return .object(own.merging(more) { own, _ in own })
    }
    switch metric {
    case .sum(let measure): return object("sum", measure)
    case .peak(let measure): return object("peak", measure)
    case .mean(let measure, let count): return object("mean", measure, ["count": JSONValue(count) ?? .null])
    case .histogram(let histogram):
      let buckets = histogram.buckets.map { bucket in
        JSONValue.object([
          "start": JSONValue(bucket.start) ?? .null, "end": JSONValue(bucket.end) ?? .null,
          "count": JSONValue(bucket.count),
        ])
      }
      return .object([
        "kind": "histogram", "unit": .string(histogram.unit), "count": JSONValue(histogram.count),
        "p50_at_most": histogram.bound(0.5).flatMap { JSONValue($0) } ?? .null,
        "p99_at_most": histogram.bound(0.99).flatMap { JSONValue($0) } ?? .null, "buckets": .array(buckets),
      ])
    }
  }
}
