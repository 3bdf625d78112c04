package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport

/// Hotpatches on the console: devices by version, how rollouts stand, and changes that are asked for.
extension LogServer {
  /// The versions of patches of an app's identifier, with the devices that ran them.
  package func patches(of identity: String) async throws(LogError) -> [PatchEntry] {
    let page: PatchPage = try await ask("GET", "\(ConsolePaths.patches)?identity=\(PercentEncoding.encode(identity))")
    return page.patches
  }

  /// Tells how the rollouts of an app stand.
  package func tell(_ note: RolloutNote, of identity: String) async throws(LogError) {
    let _: RolloutNote = try await ask(
      "PUT", "\(ConsolePaths.rollouts)/\(PercentEncoding.encode(identity))", json: note)
  }

  /// The changes that wait to be made, the newest first.
  package func waitingRolloutRequests() async throws(LogError) -> [RolloutRequest] {
    let page: RolloutRequestPage = try await ask("GET", "\(ConsolePaths.rolloutRequests)?state=waiting")
    return page.requests
  }

  /// Says what became of a change that was asked for.
  package func end(_ request: RolloutRequest, _ outcome: RolloutOutcome) async throws(LogError) {
    let _: RolloutRequest = try await ask(
      "PATCH", "\(ConsolePaths.rolloutRequests)/\(PercentEncoding.encode(request.id))", json: outcome)
  }
}
