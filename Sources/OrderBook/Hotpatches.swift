import CrashReporter
import MPaaSHotpatch
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The functions that patches may change in this app, and the client that fetches them.
enum Hotpatches {
  /// As the crash reports and the bundles name the app.
  static let app = "com.example.orderbook"
  static let version = "1.2"

  /// The number of pieces of an order that the book takes: all of them, where no patch is wiser.
  static let accepted = Patchable("Book.accepted") { (quantity: Int, participant: Int) -> Int in quantity }

  /// The symbols that the build hands to whoever writes patches, so that `mpaas hotpatch lint` knows the functions and
  /// their types.
  static var symbols: String {
    // Functions are in the list once they were entered.
    _ = accepted
    return PatchRegistry.shared.symbolListFile(app: app, version: version)
  }

  /// A client of the repository in a folder or at an address; patches that run are told.
  ///
  /// - Parameters:
  ///   - state: Where the client keeps what it fetched.
  ///   - root: The repository's `1.root.json`.
  ///   - trust: A public key in PEM: whose signature on patches counts.
  ///   - identity: A file that holds `AGE-SECRET-KEY-1…`.
  ///   - isWatched: Whether the crash reporter is installed, which knows how earlier runs ended.
  static func client(
    of repository: String, state: String, root: String, trust: String, identity: String, isWatched: Bool
  ) throws -> HotpatchClient {
    // Patches find the function once it was entered.
    _ = accepted
    let secrets = try String(contentsOfFile: identity, encoding: .utf8).split(whereSeparator: \.isNewline)
    var configuration = HotpatchClient.Configuration(
      folder: state, device: DeviceFacts(id: "trader-7", app: app, appVersion: version),
      root: [UInt8](try Data(contentsOf: URL(filePath: root))), mirrors: [repository],
      keys: [try VerificationKey(pem: String(contentsOfFile: trust, encoding: .utf8))],
      identities: try secrets.filter { $0.hasPrefix("AGE-SECRET-KEY-1") }.map { try AgeIdentity(String($0)) })
    configuration.healthyAfter = nil
    if isWatched { configuration.previousEnd = end }
    configuration.runtime.log = { print("orderbook: \($0.file):\($0.line): \($0.text)") }
    return try HotpatchClient(configuration) { event in
      switch event {
      case .installed(let patch): print("orderbook: patch \(patch) installed")
      case .applied(let patch): print("orderbook: patch \(patch) runs")
      case .refused(let patch, let error): print("orderbook: patch \(patch) refused: \(error.identifier)")
      case .rolledBack(let patch, let other):
        print("orderbook: patch \(patch) rolled back to \(other?.description ?? "none")")
      case .putAside(let patch, let time, let other):
        print("orderbook: patch \(patch) put aside until \(time), \(other?.description ?? "none") runs")
      case .startFailed(let count): print("orderbook: starts in a row that failed: \(count)")
      case .safeMode: print("orderbook: safe mode, no patch runs")
      case .syncFailed(let error): print("orderbook: patches not updated: \(error.identifier)")
      }
    }
  }

  /// A patch is to blame for a crash, not for a user who left, nor for an end whose cause is unknown.
  private static func end(of start: PatchedStart) -> RunEnd {
    switch CrashReporter.end(ofProcess: start.processID, at: start.time.timeIntervalSince1970) {
    case .crashed: .crashed
    case .ended: .quit
    case .killed, .unknown: .unknown
    }
  }
}
