import MPaaSSupport
import MPaaSVerification

extension MetadataFields {
  mutating func appVersion(_ name: String) throws(TrustError) -> AppVersion {
    guard let version = AppVersion(try string(name)) else { throw problem(name) }
    return version
  }

  /// A digest of SHA-256 in lowercase hexadecimal digits.
  mutating func digest(_ name: String) throws(TrustError) -> String {
    let text = try string(name)
    try require(text.utf8.count == 64 && [UInt8](hexadecimal: text)?.hexadecimal == text, name)
    return text
  }
}
