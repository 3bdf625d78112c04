// Conversions to the type that newer systems have of their own.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension TimeSpan {
  /// Creates the length of a duration of the standard library, without what is shorter than a nanosecond.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Duration {
  /// Creates the standard library's duration of a length of time.
  public init(_ span: TimeSpan) { self = .nanoseconds(span.nanoseconds) }
}
