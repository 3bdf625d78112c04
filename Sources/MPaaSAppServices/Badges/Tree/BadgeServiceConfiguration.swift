/// The functions that an app lends to its badges.
///
/// It stands for `MPBadgeServiceConfig`.
public struct BadgeServiceConfiguration: Sendable {
  /// Tells the server that a user tapped the badges of these widgets; returns whether it knows: `ack:completion:`.
  ///
  /// The same widgets may come again where the app ended before the answer was there.
  public var acknowledge: @Sendable (_ widgetIDs: [String]) async -> Bool
  /// Encrypts what is kept on the device: `encryptString:`.
  public var encrypt: @Sendable ([UInt8]) throws -> [UInt8]
  /// Decrypts what `encrypt` made.
  public var decrypt: @Sendable ([UInt8]) throws -> [UInt8]
  /// The same with the user and the version that was seen, for the kit's own server; it goes before `acknowledge`.
  var acknowledgeTaps: (@Sendable (BadgeTaps) async -> Bool)?
  /// Hears of a cache that could not be read or written; badges go on without it.
  public var report: @Sendable (AppServiceError) -> Void

  /// Creates a configuration.
  ///
  /// `Crypt` of MPaaSStorage has functions that encrypt: `encrypt: crypt.encrypt, decrypt: crypt.decrypt`.
  public init(
    encrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    decrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    report: @escaping @Sendable (AppServiceError) -> Void = { _ in },
    acknowledge: @escaping @Sendable (_ widgetIDs: [String]) async -> Bool
  ) {
    self.acknowledge = acknowledge
    self.encrypt = encrypt
    self.decrypt = decrypt
    self.report = report
  }
}

/// The widgets that a user tapped, and the version of the server's badges that the user saw.
struct BadgeTaps: Sendable, Hashable {
  let userID: String?
  let widgetIDs: [String]
  let version: String?
}
