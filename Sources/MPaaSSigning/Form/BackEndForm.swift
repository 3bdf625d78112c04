import MPaaSDigests
import MPaaSSupport

/// The text that mPaaS' gateway signs for the servers behind it: method, digest of the body, and URL, a line each.
///
/// ```
/// POST
///
/// /test/testSign?a=1&b=2&c=3&d=4
/// ```
///
/// The digest is Base64 of the body's MD5; of the word `null` where `PUT` and `POST` have no body; nothing for other
/// methods and for forms. The URL has the parameters of query and form together in the order of their names, the first of
/// several values, and a name alone where the value is empty.
///
/// Source: mPaaS, "Backend signature verification".
public struct BackEndForm: SigningForm {
  /// The header that has the signature.
  public static let signatureHeader = "X-Mgs-Proxy-Signature"
  /// The header that names the key.
  public static let keyNameHeader = "X-Mgs-Proxy-Signature-Secret-Key"

  /// The form's name.
  public let name = "back-end"

  /// Creates the form.
  public init() {}

  /// The bytes that are signed; every request has some.
  public func bytes(of request: SigningRequest) throws(SigningError) -> [UInt8] {
    let method = request.method.uppercased()
    return Array("\(method)\n\(contentDigest(of: request, method: method))\n\(url(of: request))".utf8)
  }

  private func contentDigest(of request: SigningRequest, method: String) -> String {
    guard method == "PUT" || method == "POST", request.form.isEmpty else { return "" }
    let body = request.body.flatMap { $0.isEmpty ? nil : $0 } ?? Array("null".utf8)
    return Base64.encode(DigestAlgorithm.md5.digest(of: body))
  }

  private func url(of request: SigningRequest) -> String {
    var values: [String: String] = [:]
    for field in request.query + request.form where values[field.name] == nil { values[field.name] = field.value }
    guard !values.isEmpty else { return request.path }
    // As Java orders texts, which the gateway is written in.
    let sorted = values.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
    return request.path + "?"
      + sorted.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }.joined(separator: "&")
  }
}
