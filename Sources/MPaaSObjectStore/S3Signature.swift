import MPaaSDigests
import MPaaSSupport

/// Signatures of requests to S3 by AWS Signature Version 4, in headers, over the SHA-256 of the body.
///
/// Source: Amazon Simple Storage Service, API Reference, "Signature Calculations for the Authorization Header".
package struct S3Signature: Sendable {
  private static let algorithm = "AWS4-HMAC-SHA256"

  package let identifier: String
  package let secret: String
  /// The token of a session, for keys that live for a time.
  package let token: String?
  package var region: String

  package init(identifier: String, secret: String, token: String? = nil, region: String) {
    (self.identifier, self.secret, self.token, self.region) = (identifier, secret, token, region)
  }

  /// A request as it is signed.
  package struct Subject: Sendable {
    package var method: String
    package var host: String
    /// Escaped as it is sent: all but unreserved characters and slashes, once.
    package var path: String
    /// Names and values as they are meant.
    package var query: [(name: String, value: String)] = []
    package var headers: [(name: String, value: String)] = []
    /// The SHA-256 of the body in hexadecimal.
    package var sha256: String

    package init(_ method: String, host: String, path: String, sha256: String) {
      (self.method, self.host, self.path, self.sha256) = (method, host, path, sha256)
    }

    /// The query as it is sent and signed: in the order of the escaped names.
    package var queryText: String {
      query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }.sorted { $0 < $1 }
        .map { "\($0)=\($1)" }.joined(separator: "&")
    }
  }

  /// The headers that a request is sent with: its own, those of the signature, and the signature.
  ///
  /// - Parameter time: Seconds since 1970.
  package func headers(of subject: Subject, at time: Int) -> [(name: String, value: String)] {
    let moment = Self.text(time)
    var sent = subject.headers + [("x-amz-content-sha256", subject.sha256), ("x-amz-date", moment)]
    if let token { sent.append(("x-amz-security-token", token)) }
    let signed = (sent + [("host", subject.host)]).map { ($0.name.lowercased(), Self.trimmed($0.value)) }
      .sorted { $0.0 < $1.0 }
    let names = signed.map(\.0).joined(separator: ";")
    let request = [
      subject.method, subject.path, subject.queryText, signed.map { "\($0):\($1)\n" }.joined(), names, subject.sha256,
    ].joined(separator: "\n")
    let day = String(moment.prefix(8))
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = [Self.algorithm, moment, scope, Array(request.utf8).sha256.hexadecimal].joined(separator: "\n")
    let signature = Self.code(of: text, key: key(of: day)).hexadecimal
    sent.append(
      (
        "Authorization",
        "\(Self.algorithm) Credential=\(identifier)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
      ))
    return sent
  }

  /// The key of a day, a region and S3.
  private func key(of day: String) -> [UInt8] {
    [day, region, "s3", "aws4_request"].reduce(Array("AWS4\(secret)".utf8)) { Self.code(of: $1, key: $0) }
  }

  private static func code(of text: String, key: [UInt8]) -> [UInt8] {
    HMAC(.sha256, key: key)?.code(of: Array(text.utf8)) ?? []
  }

  /// A value without white space at its ends, and one blank where several are.
  private static func trimmed(_ value: String) -> String {
    value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  /// A time as `20130524T000000Z`.
  private static func text(_ time: Int) -> String {
    let (date, second) = CivilDate.at(secondsSince1970: time)
    let day = date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
    return day + "T" + (second / 3600).padded(to: 2) + (second / 60 % 60).padded(to: 2) + (second % 60).padded(to: 2)
      + "Z"
  }
}

/// Tells nothing of the key but its identifier, whatever prints what holds it.
extension S3Signature: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(identifier) in \(region)" }
  package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier, "region": region]) }
}
