import Crypto
import CryptoExtras
import MPaaSDigests
import MPaaSSupport

/// Passwords, as their keys by scrypt (RFC 7914) are stored: `scrypt$17$8$1$SALT$KEY`.
enum Password {
  /// The base-2 logarithm of N: 128 MiB with blocks of 1 KiB.
  private static let work = 17
  private static let saltBytes = 16
  /// Characters and bytes of a password.
  static let least = 12
  static let most = 256
  /// Passwords that are worked on at a time.
  private static let turns = Turns(2)

  /// Tells whether it is one that is taken.
  static func isGood(_ password: String) -> Bool { password.count >= least && password.utf8.count <= most }

  /// The text that is stored.
  static func stored(_ password: String) async -> String? {
    let salt = Access.randomBytes(saltBytes)
    guard let key = await key(password, salt, work) else { return nil }
    return "scrypt$\(work)$8$1$\(Base64.encode(salt))$\(Base64.encode(key))"
  }

  /// Tells whether a password is the one that is stored; as long a work where there is none.
  static func isRight(_ password: String, _ stored: String?) async -> Bool {
    let parts = stored?.split(separator: "$").map(String.init) ?? []
    guard parts.count == 6, parts[0] == "scrypt", parts[2] == "8", parts[3] == "1", let work = Int(parts[1]),
      (10...20).contains(work), let salt = Base64.decode(parts[4].utf8), let right = Base64.decode(parts[5].utf8),
      password.utf8.count <= most
    else {
      _ = await key("", Access.randomBytes(saltBytes), Self.work)
      return false
    }
    return await key(password, salt, work)?.isEqualInConstantTime(to: right) ?? false
  }

  private static func key(_ password: String, _ salt: [UInt8], _ work: Int) async -> [UInt8]? {
    // HMAC fills short keys with zeros, so one zero is the same as nothing; the library wants an address.
    let secret = password.isEmpty ? [0] : Array(password.utf8)
    return await turns {
      await withCheckedContinuation { continuation in
        DetachedThread.run {
          let key = try? KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: 32, rounds: 1 << work, blockSize: 8, parallelism: 1)
          continuation.resume(returning: key?.withUnsafeBytes { Array($0) })
        }
      }
    }
  }
}
