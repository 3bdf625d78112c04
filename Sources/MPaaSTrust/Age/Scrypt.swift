import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys from passphrases (RFC 7914).
package enum Scrypt {
  /// The largest base-2 logarithm of N that is computed for anybody: 4 GiB of memory with blocks of 1 KiB.
  package static let largestWorkFactor = AgeHeader.largestWorkFactor

  /// - Parameters:
  ///   - workFactor: The base-2 logarithm of N.
  ///   - blockSize: r, in 128 bytes.
  /// - Returns: nil where the library refuses the parameters or has no memory.
  package static func key(
    _ passphrase: some Sequence<UInt8>, salt: some Sequence<UInt8>, workFactor: Int, blockSize: Int = 8,
    parallelism: Int = 1, count: Int = 32
  ) -> [UInt8]? {
    guard 1...largestWorkFactor ~= workFactor else { return nil }
    var secret = Array(passphrase)
    // HMAC fills short keys with zeros, so one zero is the same as nothing; the library wants an address.
    if secret.isEmpty { secret = [0] }
    let key = try? KDF.Scrypt.deriveKey(
      from: secret, salt: Array(salt), outputByteCount: count, rounds: 1 << workFactor, blockSize: blockSize,
      parallelism: parallelism)
    return key?.withUnsafeBytes { Array($0) }
  }
}
