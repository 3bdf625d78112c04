import MPaaSLock
import MPaaSSupport

/// Numbers of the app's own that are sent along with the counts of flags, so that an operator sees the effect of a flag.
///
/// ```swift
/// client.impact.defineCounter("purchases", help: "Purchases that were paid")
/// client.impact.increment("purchases", flags: ["new-checkout"])
/// ```
///
/// A name is defined first; what is told of another one, or is not finite, is passed over.
public final class ImpactMetrics: Sendable {
  /// The most names.
  public static let mostNames = 100

  private let metrics = Lock<[String: ImpactMetric]>([:])
  private let labels: [String: String]
  private let variant: @Sendable (_ flag: String) -> String

  /// - Parameters:
  ///   - labels: The labels of all numbers.
  ///   - variant: The answer of a flag, which becomes a label.
  init(labels: [String: String], variant: @escaping @Sendable (_ flag: String) -> String) {
    self.labels = labels
    self.variant = variant
  }

  // MARK: - Names

  /// Defines a number that only grows.
  public func defineCounter(_ name: String, help: String) { define(name, ImpactMetric(.counter, help: help)) }

  /// Defines a number that grows and falls.
  public func defineGauge(_ name: String, help: String) { define(name, ImpactMetric(.gauge, help: help)) }

  /// Defines a distribution of numbers.
  ///
  /// - Parameters:
  ///   - name: The name of the metric.
  ///   - help: A sentence that explains it.
  ///   - bounds: The upper bounds of the buckets; nil for those of response times in seconds.
  public func defineHistogram(_ name: String, help: String, bounds: [Double]? = nil) {
    let bounds = (bounds ?? ImpactMetric.usualBounds).filter(\.isFinite)
    define(name, ImpactMetric(.histogram(Set(bounds).sorted()), help: help))
  }

  private func define(_ name: String, _ metric: ImpactMetric) {
    metrics.withLock { metrics in
      guard metrics[name] == nil, metrics.count < Self.mostNames else { return }
      metrics[name] = metric
    }
  }

  // MARK: - Numbers

  /// Adds to a counter.
  ///
  /// - Parameters:
  ///   - name: The name of the metric.
  ///   - count: The number that is added.
  ///   - flags: Flags whose answers of now become labels.
  public func increment(_ name: String, by count: UInt32 = 1, flags: [String] = []) {
    change(name, flags) { metric, labels in
      guard metric.kind == .counter else { return }
      metric.change(labels) { $0.number += Double(count) }
    }
  }

  /// Sets a gauge.
  public func set(_ name: String, to value: Double, flags: [String] = []) {
    guard value.isFinite else { return }
    change(name, flags) { metric, labels in
      guard metric.kind == .gauge else { return }
      metric.change(labels) { $0.number = value }
    }
  }

  /// Adds to a gauge, or takes away.
  public func add(_ value: Double, to name: String, flags: [String] = []) {
    guard value.isFinite else { return }
    change(name, flags) { metric, labels in
      guard metric.kind == .gauge else { return }
      metric.change(labels) { $0.number += value }
    }
  }

  /// Adds a number to a histogram.
  public func observe(_ name: String, _ value: Double, flags: [String] = []) {
    guard value.isFinite else { return }
    change(name, flags) { metric, labels in metric.observe(value, labels) }
  }

  private func change(
    _ name: String, _ flags: [String], _ body: (inout ImpactMetric, [String: String]) -> Void
  ) {
    var labels = labels
    for flag in flags { labels[flag] = variant(flag) }
    metrics.withLock { metrics in
      guard var metric = metrics.removeValue(forKey: name) else { return }
      body(&metric, labels)
      metrics[name] = metric
    }
  }

  // MARK: - Sending

  /// Takes the values out of all metrics; nil where none is defined.
  func take() -> [String: ImpactMetric]? {
    metrics.withLock { metrics in
      guard !metrics.isEmpty else { return nil }
      var taken: [String: ImpactMetric] = [:]
      for name in metrics.keys { taken[name] = metrics[name]?.take() }
      return taken
    }
  }

  /// Puts values back that the server did not get.
  func restore(_ older: [String: ImpactMetric]) {
    metrics.withLock { metrics in for (name, metric) in older { metrics[name]?.restore(metric) } }
  }
}
