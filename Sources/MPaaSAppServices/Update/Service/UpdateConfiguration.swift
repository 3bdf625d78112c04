import MPaaSSupport
public import MPaaSVerification

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The facts that an update service works with.
public struct UpdateConfiguration: Sendable {
  /// The folder for trusted metadata, the last feed and the service's own state; nothing else may be in it.
  public var folder: String
  /// The repository's first `root.json`, as it came with the app.
  public var root: [UInt8]
  /// Addresses of the repository: `https:` URLs of any server of files, or folders, tried in order.
  public var mirrors: [String]
  /// The question that is asked where none is given.
  public var request: UpdateRequest
  /// The least pace of a mirror.
  public var pace = RepositoryPace()
  /// The clock; to be replaced in tests.
  public var now: @Sendable () -> Date = { Date() }

  /// Creates a configuration.
  public init(folder: String, root: [UInt8], mirrors: [String], request: UpdateRequest) {
    self.folder = folder
    self.root = root
    self.mirrors = mirrors
    self.request = request
  }
}
