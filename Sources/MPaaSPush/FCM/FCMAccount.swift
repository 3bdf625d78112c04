import CryptoExtras
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service account of Google, by which a provider shows FCM who it is.
package struct FCMAccount: Sendable {
  /// The project that messages are sent for.
  package let project: String
  package let email: String
  /// The address that access tokens come from.
  package let tokenAddress: String
  private let keyID: String?
  private let key: _RSA.Signing.PrivateKey

  /// Reads the key of a service account: the JSON file that Google's console gives.
  ///
  /// - Throws: `push-account-malformed`, which names the member.
  package init(_ bytes: UnsafeRawBufferPointer) throws(PushError) {
    guard let object = (try? JSONValue(reading: bytes))?.object else { throw Self.malformed("JSON") }
    project = try Self.text("project_id", of: object)
    email = try Self.text("client_email", of: object)
    tokenAddress = try Self.text("token_uri", of: object)
    keyID = object["private_key_id"]?.string
    let pem = try Self.text("private_key", of: object)
    guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else { throw Self.malformed("private_key") }
    self.key = key
  }

  private static func text(_ name: String, of object: JSONValue.Object) throws(PushError) -> String {
    guard let text = object[name]?.string, !text.isEmpty else { throw malformed(name) }
    return text
  }

  private static func malformed(_ field: String) -> PushError { PushError(.accountMalformed, ["field": field]) }

  /// The body of the request for an access token (RFC 7523, section 2.1).
  ///
  /// - Parameter second: The moment in seconds since 1970; the assertion is good for an hour.
  package func tokenRequest(at second: Int) throws(PushError) -> String {
    var header: JSONValue.Object = ["alg": "RS256", "typ": "JWT"]
    if let keyID { header["kid"] = .string(keyID) }
    let claims: JSONValue = [
      "iss": .string(email), "scope": .string(Self.scope), "aud": .string(tokenAddress), "iat": JSONValue(second),
      "exp": JSONValue(second + 3600),
    ]
    do {
      let assertion = try JSONWebToken.text(header: .object(header), claims: claims) { bytes in
        Array(try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
      }
      return "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
    } catch {
      throw Self.malformed("private_key")
    }
  }

  package static let scope = "https://www.googleapis.com/auth/firebase.messaging"
}

/// The public key of a service account, by which the double of FCM verifies assertions.
package struct FCMPublicKey: Sendable {
  private let key: _RSA.Signing.PublicKey

  /// - Throws: `push-account-malformed` for what is no RSA key in PEM.
  package init(pem: String) throws(PushError) {
    guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) else {
      throw PushError(.accountMalformed, ["field": "public_key"])
    }
    self.key = key
  }

  package func verifies(_ token: JSONWebToken) -> Bool {
    guard token.header["alg"]?.string == "RS256" else { return false }
    let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
    return key.isValidSignature(signature, for: token.signed, padding: .insecurePKCS1v1_5)
  }
}
