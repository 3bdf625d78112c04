// On Linux an app without the trait Crypto has no cipher. `DatabaseKey` makes no key there, so that all databases are plain,
// and what the other files name of swift-crypto refuses to work.
#if !canImport(CryptoKit) && !canImport(Crypto)
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The refusal to seal or open anything.
  struct WithoutCipher: Error {}

  /// Secret bytes.
  struct SymmetricKey: Sendable {
    enum Size: Int { case bits128 = 16, bits256 = 32 }

    private let bytes: [UInt8]

    init(size: Size) { bytes = (0..<size.rawValue).map { _ in UInt8.random(in: .min ... .max) } }

    init(data: some Sequence<UInt8>) { bytes = Array(data) }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
      try bytes.withUnsafeBytes(body)
    }
  }

  enum SHA256 {}

  enum HKDF<Hash> {
    static func deriveKey(
      inputKeyMaterial: SymmetricKey, salt: [UInt8], info: [UInt8], outputByteCount: Int
    ) -> SymmetricKey { inputKeyMaterial }
  }

  enum AES {
    enum GCM {
      struct SealedBox {
        let nonce: [UInt8] = [], ciphertext: [UInt8] = [], tag: [UInt8] = []
        let combined: Data? = nil

        init(combined: some Sequence<UInt8>) throws { throw WithoutCipher() }
      }

      static func seal(
        _ plain: some Sequence<UInt8>, using key: SymmetricKey, authenticating place: some Sequence<UInt8>
      ) throws -> SealedBox { throw WithoutCipher() }

      static func open(
        _ box: SealedBox, using key: SymmetricKey, authenticating place: some Sequence<UInt8>
      ) throws -> Data { throw WithoutCipher() }
    }
  }

  typealias ChaChaPoly = AES.GCM
#endif
