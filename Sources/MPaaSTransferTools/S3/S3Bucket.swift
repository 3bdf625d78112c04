import CCurl
package import MPaaSSupport
package import MPaaSTransfer

/// A bucket of a store that speaks S3, with what is needed to write to it; libcurl signs the requests.
package struct S3Bucket: Sendable {
  /// A key of the store, as the `AWS_…` variables hold it.
  package struct Credentials: Sendable, Equatable {
    package let identifier: String
    package let secret: String
    package let token: String?

    /// nil where the variables are not set.
    package init?(environment: [String: String]) {
      guard let identifier = environment["AWS_ACCESS_KEY_ID"], !identifier.isEmpty,
        let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
      else { return nil }
      self.identifier = identifier
      self.secret = secret
      token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// The URL that names of objects are added to, with a slash at its end.
  package let base: String
  private let region: String
  private let credentials: Credentials
  private let userAgent: String
  private let sessions = CurlSessions()

  /// - Parameters:
  ///   - address: `s3://BUCKET/PREFIX`.
  ///   - endpoint: The store's URL; nil for Amazon's.
  /// - Returns: nil where `address` is something else.
  package init?(
    _ address: String, endpoint: String?, region: String, credentials: Credentials, userAgent: String
  ) {
    guard address.hasPrefix("s3://") else { return nil }
    let parts = address.dropFirst(5).split(separator: "/")
    guard let bucket = parts.first, bucket.utf8.allSatisfy(PercentEncoding.isUnreserved) else { return nil }
    let path = parts.dropFirst().map { Self.escaped(String($0)) + "/" }.joined()
    if let endpoint {
      let host = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
      base = "\(host)/\(bucket)/\(path)"
    } else {
      base = "https://\(bucket).s3.\(region).amazonaws.com/\(path)"
    }
    self.region = region
    self.credentials = credentials
    self.userAgent = userAgent
  }

  /// The SHA-256 that was said of an object when it was put there; nil where there is none, or nothing was said.
  package func digest(of name: String) throws(HTTPError) -> String? {
    do throws(HTTPError) {
      return try exchange(mp_curl_method_head, name, sha256: Self.digestOfNothing).headers["x-amz-meta-sha256"]
    } catch {
      // A bucket that may not be listed answers that a missing file is forbidden.
      if error.isAbsence || error.code == .status(403) { return nil }
      throw error
    }
  }

  /// Puts an object in its place; readers see the old one or the new one.
  package func put(
    _ name: String, _ body: Bytes, sha256: String, type: String, cacheControl: String
  ) throws(HTTPError) {
    let headers = [
      ("Cache-Control", cacheControl), ("Content-Type", type), ("x-amz-meta-sha256", sha256),
    ]
    _ = try exchange(mp_curl_method_put, name, body: body, sha256: sha256, headers: headers)
  }

  private func exchange(
    _ method: mp_curl_method, _ name: String, body: Bytes = .empty, sha256: String,
    headers: [(name: String, value: String)] = []
  ) throws(HTTPError) -> HTTPResponse {
    let url = base + Self.escaped(name)
    if let missing = sessions.missing { throw HTTPError(.noLibrary, url: url, reason: missing) }
    var request = HTTPRequest(url, headers: headers)
    request.headers.append(("x-amz-content-sha256", sha256))
    if let token = credentials.token { request.headers.append(("x-amz-security-token", token)) }
    let signer = CurlExchange.Signer(
      scheme: "aws:amz:\(region):s3", user: credentials.identifier, secret: credentials.secret)
    let plan = request
    return try sessions.with { session throws(HTTPError) in
      guard let session else { throw HTTPError(.noLibrary, url: url, reason: "curl_easy_init") }
      return try CurlExchange().run(
        session, method, plan, body: body, userAgent: userAgent, certificates: nil, signer: signer)
    }
  }

  /// SHA-256 of no bytes.
  private static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// A name as it stands in a URL, which is also how it is signed: everything but unreserved characters and slashes
  /// is escaped, in upper case.
  package static func escaped(_ name: String) -> String { PercentEncoding.encode(name, keeping: "/") }
}
