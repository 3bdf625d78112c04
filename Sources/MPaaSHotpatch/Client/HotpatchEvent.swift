import MPaaSSupport
public import MPaaSVerification

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The events of patches, for the app's log and statistics.
public enum HotpatchEvent: Sendable, Equatable {
  /// A version of a patch.
  public struct Patch: Sendable, Hashable, CustomStringConvertible {
    /// The name of the patch.
    public let name: String
    /// The version of the patch.
    public let version: String

    /// The name and the version, separated by a space.
    public var description: String { "\(name) \(version)" }
  }

  /// It was fetched, verified and stored; it runs now or at the next start.
  case installed(Patch)
  /// It runs.
  case applied(Patch)
  /// It was not installed or does not run; `identifier` of the error is what `mpaas explain` knows.
  case refused(Patch, TrustError)
  /// It does not run any more, because it was withdrawn or turned out bad; what takes its place from the next start on.
  case rolledBack(Patch, to: Patch?)
  /// It does not run for a time, since the ends of starts with it are unknown that were never said to be healthy; what
  /// runs meanwhile. It is tried again afterwards.
  case putAside(Patch, until: Date, to: Patch?)
  /// The last start crashed, or its end is unknown before it was said to be healthy; so many in a row.
  case startFailed(inARow: Int)
  /// Too many crashes: no patch runs in this start.
  case safeMode
  /// Nothing new could be learnt; what is installed runs.
  case syncFailed(TrustError)
}

extension HotpatchEvent.Patch {
  init(_ installed: ClientState.Installed) {
    self.init(name: installed.patch, version: installed.version.text)
  }

  init(_ rollout: Rollout) {
    self.init(name: rollout.patch, version: rollout.version.text)
  }
}
