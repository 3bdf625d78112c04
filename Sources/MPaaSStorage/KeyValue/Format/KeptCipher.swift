import CLibCrypto

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// AES-256-GCM of the system's libcrypto, whose key is expanded once and not for each record.
///
/// It writes and reads the same bytes as CryptoKit and swift-crypto, which take several times as long for a small record.
/// Loading the library costs as much as a few hundred records, so it begins with the record behind those. One thread at a
/// time may use it.
final class KeptCipher {
  /// The records that are left to the library of the platform.
  static let patience = 512

  private let key: SymmetricKey
  private let patience: Int
  private var uses = 0
  private var cipher: OpaquePointer?

  init(_ key: SymmetricKey, patience: Int = KeptCipher.patience) {
    (self.key, self.patience) = (key, patience)
  }

  deinit {
    if let cipher { mp_gcm_destroy(cipher) }
  }

  /// The cipher; nil as long as there are few records, and where this machine has no such library.
  @inline(__always)
  var ready: OpaquePointer? {
    if uses > patience { return cipher }
    return use()
  }

  private func use() -> OpaquePointer? {
    uses += 1
    if uses > patience {
      cipher = key.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { mp_gcm_create($0) } }
    }
    return cipher
  }
}
