extension Duration {
  /// The whole nanoseconds, the nearest that 64 bits hold.
  package var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }

  package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  package var inMilliseconds: Double { Double(inNanoseconds) / 1e6 }

  package var inMicroseconds: Double { Double(inNanoseconds) / 1e3 }

  /// A time of so many milliseconds, to the nanosecond; at most 290 years either way.
  package init(inMilliseconds value: Double) {
    self = .nanoseconds(Int64(max(-9.2e18, min(9.2e18, (value * 1e6).rounded()))))
  }

  package init(inMicroseconds value: Double) {
    self.init(inMilliseconds: value / 1000)
  }
}
