/// The answer to a check for a newer version.
///
/// It stands for `MPAAS_CheckUpgradeResp`.
public struct UpdateAnswer: Sendable, Hashable {
  /// The newer version; nil where the app is up to date.
  public let offer: UpdateOffer?
  /// Tells whether the user is to be asked now: a version with the prompt `once` was not shown before.
  public let asksUser: Bool
  /// The number of the feed that answered.
  public let feedVersion: Int

  /// Tells whether there is a newer version.
  public var isUpdateAvailable: Bool { offer != nil }
  /// Tells whether the app is not to be used without it.
  public var isForced: Bool { offer?.isForced == true }
}

/// The package of a version, as it came.
public struct UpdateDownload: Sendable, Hashable {
  /// The file, whose digest is the one that the feed names.
  public let path: String
  /// Tells whether it was made of the installed package and a difference.
  public let usedDelta: Bool
  /// The bytes that were fetched for it.
  public let fetched: Int
}
