/// The end of an app's last run on a device, as it was told at the next start.
package struct TerminationReport: Codable, Sendable, Equatable {
  /// Made once for each end; sent twice, it counts once.
  package var id: String
  package var app: String
  /// The version of the run that ended.
  package var version: String
  /// One of `reasons`; others count as `other`.
  package var reason: String
  /// Seconds since 1970, by the device's clock: when the run was last known to live.
  package var time: Double
  /// The device, where the hotpatches are known.
  package var device: String?
  /// The hotpatches that ran, as `NAME@VERSION`; nil where that is not known.
  package var patches: [String]?

  package init(
    id: String, app: String, version: String, reason: String, time: Double, device: String? = nil,
    patches: [String]? = nil
  ) {
    self.id = id
    self.app = app
    self.version = version
    self.reason = reason
    self.time = time
    self.device = device
    self.patches = patches
  }

  /// Reasons by which a device counts as one of which a run crashed.
  package static let crashes: Set<String> = ["crash", "hang"]

  /// The reasons that are told apart: those of `Termination.Reason`.
  package static let reasons = [
    "exit", "crash", "hang", "out-of-memory", "signal", "killed", "killed-in-background", "power-loss", "update",
    "system-update", "debugger", "running",
  ]
}
