/// The quantity that the weights of samples count, such as samples, time on the processor, or allocated bytes.
package struct SampleType: Sendable, Hashable {
  /// As pprof has it: `samples`, `cpu`, `wall`, `alloc_space`.
  package var name: String
  package var unit: SampleUnit

  package init(_ name: String, _ unit: SampleUnit) {
    self.name = name
    self.unit = unit
  }

  /// The number of samples.
  package static let samples = SampleType("samples", .count)
  /// Time on the processor.
  package static let cpu = SampleType("cpu", .nanoseconds)
  /// Time by the clock.
  package static let wall = SampleType("wall", .nanoseconds)
}

/// The unit of weights.
package struct SampleUnit: Sendable, Hashable {
  /// As pprof has it.
  package let name: String

  package init(_ name: String) {
    self.name = name
  }

  package static let count = SampleUnit("count")
  package static let nanoseconds = SampleUnit("nanoseconds")
  package static let bytes = SampleUnit("bytes")
}

/// The state of a thread when a sample of it was taken.
package enum SampleState: UInt8, Sendable, CaseIterable {
  case unknown = 0
  /// On the processor, or ready to be.
  case onCPU = 1
  /// Waiting for something: a lock, input, a timer.
  case offCPU = 2
}
