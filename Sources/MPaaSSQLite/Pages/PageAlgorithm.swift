#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if os(Linux) && arch(arm64)
  import Glibc
#endif

/// A cipher that pages are encrypted with, as a header names it.
enum PageAlgorithm: UInt8 {
  case aes = 1
  case chaCha

  /// The one that this machine is fast in.
  static var best: PageAlgorithm {
    #if os(Linux) && arch(arm64)
      // HWCAP_AES (asm/hwcap.h).
      getauxval(UInt(AT_HWCAP)) & 1 << 3 == 0 ? .chaCha : .aes
    #else
      .aes
    #endif
  }

  /// The nonce, the ciphertext and the tag of some bytes, with a nonce at random.
  @inline(__always)
  func seal(
    _ plain: UnsafeRawBufferPointer, _ key: SymmetricKey, _ place: UnsafeRawBufferPointer
  ) throws -> Data? {
    switch self {
    case .aes: try AES.GCM.seal(plain, using: key, authenticating: place).combined
    case .chaCha: try ChaChaPoly.seal(plain, using: key, authenticating: place).combined
    }
  }

  /// The bytes that `seal` took.
  ///
  /// - Throws: Where anything is not as it was.
  @inline(__always)
  func open(_ sealed: Data, _ key: SymmetricKey, _ place: UnsafeRawBufferPointer) throws -> Data {
    switch self {
    case .aes: try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: place)
    case .chaCha: try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: sealed), using: key, authenticating: place)
    }
  }
}
