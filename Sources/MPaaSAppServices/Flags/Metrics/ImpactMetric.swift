import MPaaSSupport

/// A number of the app's own under a name, with a value for each set of labels.
struct ImpactMetric: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case counter
    case gauge
    /// The upper bounds of the buckets, ascending; a last one without a bound is always there.
    case histogram([Double])
  }

  /// A value: of a counter or gauge the number itself, of a histogram the sum.
  struct Sample: Sendable, Equatable {
    var number = 0.0
    var count: UInt64 = 0
    /// For each bound the observations up to it.
    var buckets: [UInt64] = []
  }

  /// The most sets of labels of a metric.
  static let mostSamples = 100
  /// The bounds of a histogram that names none, in seconds for instance.
  static let usualBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  let kind: Kind
  let help: String
  private(set) var samples: [[String: String]: Sample] = [:]

  init(_ kind: Kind, help: String) {
    self.kind = kind
    self.help = help
  }

  /// Changes the value of a set of labels; one too many is passed over.
  mutating func change(_ labels: [String: String], _ body: (inout Sample) -> Void) {
    guard samples[labels] != nil || samples.count < Self.mostSamples else { return }
    let empty = empty
    body(&samples[labels, default: empty])
  }

  private var empty: Sample {
    guard case .histogram(let bounds) = kind else { return Sample() }
    return Sample(buckets: [UInt64](repeating: 0, count: bounds.count))
  }

  mutating func observe(_ value: Double, _ labels: [String: String]) {
    guard case .histogram(let bounds) = kind else { return }
    change(labels) { sample in
      sample.number += value
      sample.count &+= 1
      for (index, bound) in bounds.enumerated() where value <= bound { sample.buckets[index] &+= 1 }
    }
  }

  /// Takes all values out.
  mutating func take() -> ImpactMetric {
    defer { samples = [:] }
    return self
  }

  /// Puts values back that the server did not get, beside what came since.
  mutating func restore(_ older: ImpactMetric) {
    guard kind == older.kind else { return }
    for (labels, value) in older.samples {
      // A gauge that was set since has the newer value.
      if kind == .gauge, samples[labels] != nil { continue }
      change(labels) { sample in
        sample.number += value.number
        sample.count &+= value.count
        for index in sample.buckets.indices where index < value.buckets.count {
          sample.buckets[index] &+= value.buckets[index]
        }
      }
    }
  }

  // MARK: - JSON

  /// The metric as the server takes it; a counter or histogram without values has one of zero.
  ///
  /// - Source: Unleash client specification, "Impact metrics".
  func value(_ name: String) -> JSONValue {
    var list = samples.map { labels, sample in value(labels, sample) }
    if list.isEmpty, kind != .gauge { list = [value([:], empty)] }
    return ["name": .string(name), "help": .string(help), "type": .string(typeName), "samples": .array(list)]
  }

  private var typeName: String {
    switch kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }

  private func value(_ labels: [String: String], _ sample: Sample) -> JSONValue {
    let labels = JSONValue.object(labels.mapValues { .string($0) })
    guard case .histogram(let bounds) = kind else {
      return ["labels": labels, "value": JSONValue(sample.number) ?? 0]
    }
    var buckets: [JSONValue] = zip(bounds, sample.buckets).map { bound, count in
      ["le": JSONValue(bound) ?? 0, "count": .unsigned(count)]
    }
    buckets.append(["le": "+Inf", "count": .unsigned(sample.count)])
    return [
      "labels": labels, "count": .unsigned(sample.count), "sum": JSONValue(sample.number) ?? 0,
      "buckets": .array(buckets),
    ]
  }
}
