import MPaaSSupport
import MPaaSVerification

extension MetadataFields {
  func problem(_ name: String) -> TrustError { TrustError(.metadataMalformed, ["field": name]) }

  func require(_ condition: Bool, _ name: String) throws(TrustError) {
    guard condition else { throw problem(name) }
  }

  /// Refuses members that are unknown.
  func finish() throws(TrustError) {
    guard let name = rest.keys.min() else { return }
    throw problem(name)
  }

  mutating func values(_ name: String) throws(TrustError) -> [JSONValue] {
    guard let values = optional(name)?.array else { throw problem(name) }
    return values
  }

  /// A string that is one of the enumeration's words.
  mutating func word<Word: RawRepresentable<String>>(_ name: String) throws(TrustError) -> Word {
    guard let word = Word(rawValue: try string(name)) else { throw problem(name) }
    return word
  }

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
