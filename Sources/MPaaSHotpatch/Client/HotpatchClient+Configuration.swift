import MPaaSSupport
public import MPaaSTime
public import MPaaSVerification

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HotpatchClient {
  /// The facts that the client works with; nothing of it is secret but that the age identity opens the payloads.
  public struct Configuration: Sendable {
    /// The folder for state, metadata and bundles; nothing else may be in it.
    public var folder: String
    /// The facts of this device that rollouts are decided by.
    public var device: DeviceFacts
    /// The repository's first `root.json`, as it came with the app.
    public var root: [UInt8]
    /// Addresses of the repository: `https:` URLs or folders, tried in order.
    public var mirrors: [String]
    /// The keys whose signatures on bundles count; `threshold` is the number of them that a bundle needs.
    public var keys: [VerificationKey]
    /// The number of `keys` that must have signed a bundle; 1 unless set.
    public var threshold = 1
    /// `AGE-SECRET-KEY-1…`: opens the payloads.
    public var identities: [AgeIdentity]
    /// A patch counts as healthy when it has run for so long without a word, each from the moment at which it was put
    /// in place; nil for never.
    public var healthyAfter: TimeSpan? = .seconds(10)
    /// The end of the run of the app that is asked about, best as the crash reporter knows it; asked at the start, on
    /// the thread of `runStored`.
    ///
    /// Without an answer it is unknown whether a start that ended before it was healthy crashed or was ended by the
    /// user: three in a row put a version aside for a time, and none makes it known-bad.
    public var previousEnd: @Sendable (PatchedStart) -> RunEnd = { _ in .unknown }
    /// The time that a sync may take, from the first byte of metadata to the last one of a bundle.
    public var syncTime: TimeSpan = .seconds(60)
    /// The least pace of a mirror.
    public var pace = RepositoryPace()
    /// The clock; to be replaced in tests.
    public var now: @Sendable () -> Date = { Date() }
    /// The functions that patches may replace.
    public var registry = PatchRegistry.shared
    /// The limits of patches, and the closures that hear of their logs and failures.
    public var runtime = PatchRuntime.Configuration()

    /// Makes a configuration; all that is not given here has its default.
    ///
    /// - Parameters:
    ///   - folder: The folder for state, metadata and bundles; nothing else may be in it.
    ///   - device: The facts of this device that rollouts are decided by.
    ///   - root: The bytes of the repository's first `root.json`.
    ///   - mirrors: The addresses of the repository, tried in order.
    ///   - keys: The public keys whose signatures on bundles count.
    ///   - threshold: The number of keys that must have signed a bundle.
    ///   - identities: The identities that open payloads.
    public init(
      folder: String, device: DeviceFacts, root: [UInt8], mirrors: [String], keys: [VerificationKey],
      threshold: Int = 1, identities: [AgeIdentity]
    ) {
      self.folder = folder
      self.device = device
      self.root = root
      self.mirrors = mirrors
      self.keys = keys
      self.threshold = threshold
      self.identities = identities
    }
  }
}
