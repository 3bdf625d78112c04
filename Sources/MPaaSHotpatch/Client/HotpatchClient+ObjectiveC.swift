#if canImport(ObjectiveC)
  public import Foundation
  import MPaaSVerification

  /// The client of hotpatches for Objective-C; it lives as long as the app.
  ///
  ///     MPHotpatchClient *client = [[MPHotpatchClient alloc] initWithFolder:folder device:user app:app
  ///         appVersion:version root:root mirrors:mirrors keys:keys identities:identities error:&error];
  ///     [client runStored];
  ///     [client startWithCompletion:nil];
  ///     [client confirmHealthy];
  @objc(MPHotpatchClient)
  public final class HotpatchObjectiveCClient: NSObject, Sendable {
    private let client: HotpatchClient

    /// - Throws: Where a key or an identity cannot be read, or the folder cannot be written.
    @objc public init(
      folder: String, device: String, app: String, appVersion: String, root: Data, mirrors: [String], keys: [String],
      identities: [String]
    ) throws {
      client = try HotpatchClient(
        HotpatchClient.Configuration(
          folder: folder, device: DeviceFacts(id: device, app: app, appVersion: appVersion), root: Array(root),
          mirrors: mirrors, keys: keys.map { try VerificationKey(pem: $0) },
          identities: identities.map { try AgeIdentity($0) }))
    }

    /// Runs what is stored; first thing in main.
    @objc public func runStored() { client.runStored() }

    /// Learns what is new, and runs that too.
    @objc public func start(completion: (@Sendable () -> Void)?) {
      Task {
        await client.start()
        completion?()
      }
    }

    /// Learns what is new when the app comes back to the screen.
    @objc public func enterForeground() {
      Task { await client.enterForeground() }
    }

    /// Says that the app works with the patches that run.
    @objc public func confirmHealthy() { client.confirmHealthy() }

    /// The versions that run, by the patches' names.
    @objc public var running: [String: String] { client.running }
  }
#endif
