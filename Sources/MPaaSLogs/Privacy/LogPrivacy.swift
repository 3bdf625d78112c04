import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The readers of a value that is part of a message.
public enum LogPrivacy: Sendable, Hashable {
  /// As the value's type has it: numbers and flags are public, texts and everything else private.
  case automatic
  /// Stands in the log as it is.
  case `public`
  /// Stands in the log as `<private>`.
  case `private`
  /// Stands in the log as `<hash:…>`: the same value has the same hash on this device, which does not tell the value.
  case hash
}

/// The times at which private values are replaced.
public enum LogRedaction: Sendable, Hashable {
  case always
  /// Not in builds with DEBUG set, which developers run.
  case inRelease
  case never

  /// Tells whether values are replaced in this build.
  package var isOn: Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .inRelease:
      #if DEBUG
        return false
      #else
        return true
      #endif
    }
  }
}

/// The text in the log in place of a private value.
struct LogMask: Sendable {
  let isOn: Bool
  /// Hashes of one device cannot be looked up in a table that was made for another.
  let key: SymmetricKey

  static let withheld = "<private>"

  func shown(_ text: @autoclosure () -> String, _ privacy: LogPrivacy, isPublic: Bool) -> String {
    switch privacy {
    case .public: text()
    case .automatic where isPublic || !isOn: text()
    case .private where !isOn: text()
    case .automatic, .private: Self.withheld
    case .hash: hash(text())
    }
  }

  /// The first 64 bits of HMAC-SHA256 (RFC 2104).
  private func hash(_ text: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return "<hash:\(code.prefix(8).hexadecimal)>"
  }
}
