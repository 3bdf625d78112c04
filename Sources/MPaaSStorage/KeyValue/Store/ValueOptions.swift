#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The way in which one value is kept.
public struct ValueOptions: Sendable {
  /// True if the value goes when caches are cleared.
  public var isPurgeable: Bool
  /// The time from which the value is not there any more; nil for never.
  public var expiry: Date?
  /// The functions that encrypt the value by itself; reading it takes the same ones.
  public var crypt: Crypt?

  /// Creates options.
  public init(isPurgeable: Bool = false, expiry: Date? = nil, crypt: Crypt? = nil) {
    self.isPurgeable = isPurgeable
    self.expiry = expiry
    self.crypt = crypt
  }

  /// A value that stays, unencrypted by itself.
  public static let none = ValueOptions()

  /// Milliseconds since 1970; 0 for never.
  var expiryTime: Int64 { expiry?.expiryTime ?? 0 }
}

extension Date {
  /// Milliseconds since 1970, from 1 to 9e15, from which on something is not there any more; 0 where the date is not
  /// finite, which is never.
  var expiryTime: Int64 {
    let milliseconds = timeIntervalSince1970 * 1000
    return milliseconds.isFinite ? Int64(min(max(milliseconds, 1), 9e15)) : 0
  }
}
