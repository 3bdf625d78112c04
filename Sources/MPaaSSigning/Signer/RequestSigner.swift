import MPaaSDigests
import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Signatures of requests: a form makes the text, an algorithm and a key make the signature.
///
/// ```swift
/// let signer = try RequestSigner(.hmacSM3, key: RequestKey(secret: secret), form: OperationForm())
/// let call = SigningRequest(operationType: "com.example.pay", timestamp: now, requestData: arguments)
/// let signature = try signer.signature(of: call)
/// ```
public struct RequestSigner: Sendable {
  /// The algorithm.
  public let algorithm: SigningAlgorithm
  /// The form of the text that is signed.
  public let form: any SigningForm
  private let key: RequestKey
  /// The code that has taken the secret already.
  private let code: HMAC?

  /// Takes a key for an algorithm.
  ///
  /// - Throws: `SigningError` `signing-key-mismatch` where the algorithm cannot use the key.
  public init(
    _ algorithm: SigningAlgorithm, key: RequestKey, form: any SigningForm = OperationForm()
  ) throws(SigningError) {
    self.algorithm = algorithm
    self.form = form
    self.key = key
    switch (algorithm, key.material) {
    case (.hmacSHA256, .secret(let secret)): code = HMAC(.sha256, key: secret)
    case (.hmacSM3, .secret(let secret)): code = HMAC(.sm3, key: secret)
    case (.md5Salt, .secret): code = nil
    case (.rsaSHA256, .rsaPrivate), (.rsaSHA256, .rsaPublic), (.rsaPSS, .rsaPrivate), (.rsaPSS, .rsaPublic): code = nil
    default: throw Self.mismatch(algorithm, key)
    }
  }

  /// The signature of a request: hexadecimal digits in lower case, or Base64 for RSA.
  ///
  /// - Throws: `SigningError` of the form; `signing-key-mismatch` where the key is public; `signing-request-failed`.
  public func signature(of request: SigningRequest) throws(SigningError) -> String {
    try signature(ofText: form.bytes(of: request))
  }

  /// The signature of a text that a form has made.
  ///
  /// - Throws: `SigningError` `signing-key-mismatch` where the key is public; `signing-request-failed`.
  public func signature(ofText text: [UInt8]) throws(SigningError) -> String {
    switch key.material {
    case .secret(let secret): return shared(text, secret).hexadecimal
    case .rsaPrivate(let key):
      guard let signature = key.sign(text, padding: padding) else { throw SigningError(.failed) }
      return Base64.encode(signature)
    case .rsaPublic: throw Self.mismatch(algorithm, key)
    }
  }

  /// Tells whether a signature is one of the request; a malformed one is none.
  ///
  /// Codes are compared in a time that does not depend on where they differ.
  ///
  /// - Throws: `SigningError` of the form.
  public func verifies(_ signature: String, of request: SigningRequest) throws(SigningError) -> Bool {
    verifies(signature, ofText: try form.bytes(of: request))
  }

  /// Tells whether a signature is one of a text that a form has made.
  public func verifies(_ signature: String, ofText text: [UInt8]) -> Bool {
    switch key.material {
    case .secret(let secret):
      guard let given = [UInt8](hexadecimal: signature) else { return false }
      return given.isEqualInConstantTime(to: shared(text, secret))
    case .rsaPrivate(let key): return verifies(signature, of: text, key.subjectPublicKeyInfo)
    case .rsaPublic(let info): return verifies(signature, of: text, info)
    }
  }

  private func verifies(_ signature: String, of text: [UInt8], _ info: Data) -> Bool {
    guard let given = Base64.decode(signature.utf8), let key = RSAVerificationKey(subjectPublicKeyInfo: info) else {
      return false
    }
    return key.verifies(Data(given), of: text, padding: padding)
  }

  /// The code of a text with a secret that both sides know.
  private func shared(_ text: [UInt8], _ secret: [UInt8]) -> [UInt8] {
    code?.code(of: text) ?? DigestAlgorithm.md5.digest(of: text + secret)
  }

  private var padding: RSASignaturePadding { algorithm == .rsaPSS ? .pss : .pkcs1 }

  private static func mismatch(_ algorithm: SigningAlgorithm, _ key: RequestKey) -> SigningError {
    SigningError(.keyMismatch, ["algorithm": algorithm.rawValue, "key": key.kind])
  }
}
