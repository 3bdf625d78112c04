public import MPaaSTime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The limits of what a client takes from a repository, so that no server can keep it busy for ever (TUF section 5).
public struct RepositoryLimits: Sendable, Equatable {
  /// Bytes of a root file.
  public var root = 512 << 10
  /// Bytes of the timestamp file.
  public var timestamp = 16 << 10
  /// Bytes of a snapshot whose length the timestamp does not say.
  public var snapshot = 2 << 20
  /// Bytes of a targets file whose length the snapshot does not say.
  public var targets = 5 << 20
  /// Bytes of any metadata file, whatever another one says of its length.
  public var metadata = 64 << 20
  /// New roots in one refresh.
  public var rootRotations = 256
  /// Roles that are asked for one target.
  public var delegationVisits = 32
  /// Roles that are read for a list of all targets.
  public var listedRoles = 1024
  /// The time that one refresh may take, whatever mirrors send; nil for as long as it takes.
  public var refreshTime: TimeSpan? = .seconds(300)
  /// Tells whether a clock that stands before the last successful refresh is refused.
  public var refusesClockSetBack = true
  /// Seconds that the clock may go back, as time servers let it.
  public var clockTolerance: TimeInterval = 300

  /// Makes limits that have their default throughout.
  public init() {}
}
