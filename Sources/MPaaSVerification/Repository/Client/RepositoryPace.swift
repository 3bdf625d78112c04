public import MPaaSTime
import MPaaSTransfer

/// The least pace of a mirror, so that none can hold a client for hours by sending a byte now and then.
public struct RepositoryPace: Sendable, Equatable {
  /// Bytes a second that must come at least, on average over `window`.
  public var leastRate = 1000
  /// The time for which a mirror may stand still, or send less, before the transfer ends.
  public var window: TimeSpan = .seconds(20)
  /// The time that connecting may take.
  public var connect: TimeSpan = .seconds(15)

  /// Makes a pace of 1000 bytes a second, with the default times.
  public init() {}
}

extension HTTPRequest.Limits {
  /// Makes the limits those of a pace.
  ///
  /// - Parameter deadline: When everything ends; nil for never.
  mutating func keep(to pace: RepositoryPace, until deadline: MonotonicInstant?) {
    let window = max(pace.window, .seconds(1))
    stall = window
    let (bytes, overflow) = pace.leastRate.multipliedReportingOverflow(by: Int(clamping: window.components.seconds))
    slowBytes = overflow ? .max : max(bytes, 1)
    connect = pace.connect
    self.deadline = deadline
  }
}

extension RepositorySource {
  /// The same place, asked for nothing after `deadline`.
  package func ending(at deadline: MonotonicInstant) -> RepositorySource { until?(deadline) ?? self }
}

extension RepositoryFetch {
  /// The same mirrors, asked for nothing after `deadline`.
  package func ending(at deadline: MonotonicInstant) -> RepositoryFetch {
    RepositoryFetch(
      metadata: metadata.map { $0.ending(at: deadline) }, targets: targets.map { $0.ending(at: deadline) })
  }
}
