/// The answer to whether a function or method was replaced.
public enum Replacement: Sendable, Hashable {
  /// Calls reach the expected code, and its first bytes are those of its file.
  case none
  /// Calls reach other code; each reason is one finding.
  case replaced([Finding])
  /// It is not known, with the reason in English; never read it as `none`.
  case unknown(String)
}

extension Security {
  /// The image that a function or class should be of.
  public enum Origin: Sendable, Hashable {
    /// A library by its file name or path: `libssl.so.3`.
    case library(String)
    /// A framework of Apple's systems: `UIKit`, `LocalAuthentication`.
    case system(String)
  }
}
