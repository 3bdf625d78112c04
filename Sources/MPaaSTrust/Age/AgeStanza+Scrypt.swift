import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file key wrapped by a passphrase (age-encryption.org/v1, section "The scrypt recipient type").
extension AgeHeader.Stanza {
  private static let label = "age-encryption.org/v1/scrypt"

  init(_ fileKey: SymmetricKey, passphrase: String, workFactor: Int) throws(TrustError) {
    guard !passphrase.isEmpty else { throw TrustError(.agePassphraseEmpty) }
    let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    guard let key = Scrypt.key(passphrase.utf8, salt: Array(Self.label.utf8) + salt, workFactor: workFactor),
      let body = AgeCipher.wrap(fileKey, by: SymmetricKey(data: key))
    else { throw TrustError(.ageScryptNotAllowed, ["limit": String(Scrypt.largestWorkFactor)]) }
    self.init(arguments: ["scrypt", Base64.encode(salt, isPadded: false), String(workFactor)], body: body)
  }

  /// The file key; nil where the passphrase is another one.
  func fileKey(for passphrase: String, largestWorkFactor: Int) throws(TrustError) -> SymmetricKey? {
    guard arguments.count == 3, body.count == 32, let salt = Base64.decode(arguments[1].utf8, isPadded: false),
      salt.count == 16, let workFactor = Self.workFactor(arguments[2])
    else { throw TrustError(.ageHeaderMalformed, ["place": "scrypt"]) }
    guard workFactor <= largestWorkFactor,
      let key = Scrypt.key(passphrase.utf8, salt: Array(Self.label.utf8) + salt, workFactor: workFactor)
    else { throw TrustError(.ageScryptNotAllowed, ["limit": String(largestWorkFactor)]) }
    return AgeCipher.unwrap(body, by: SymmetricKey(data: key))
  }

  /// A number from 1 up in decimal, without sign and leading zeros.
  private static func workFactor(_ text: String) -> Int? {
    guard text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    // A number that does not fit is beyond every limit.
    return text.isEmpty ? nil : Int(text) ?? .max
  }
}

extension TrustError.Code {
  package static let agePassphraseEmpty = TrustError.Code("age-passphrase-empty", exit: .usage)
}
