#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The end of a run of the app.
public enum RunEnd: Sendable, Equatable, CaseIterable {
  /// It crashed.
  case crashed
  /// The user or the app itself ended it in order.
  case quit
  /// Unknown: it was killed, or no crash reporter watched.
  case unknown
}

/// A run of the app, as it is asked about in the next one.
public struct PatchedStart: Sendable, Equatable {
  /// The process ID of the run.
  public let processID: Int32
  /// The time at which its patches were put in place.
  public let time: Date

  package init(processID: Int32, time: Date) {
    self.processID = processID
    self.time = time
  }
}
