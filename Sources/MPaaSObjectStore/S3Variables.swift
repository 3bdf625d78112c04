/// The key and the place of a store, as the `AWS_…` variables of the environment hold them.
package struct S3Variables: Sendable {
  /// Signs by the key, for the region here; nil where identifier or secret is missing.
  package let signature: S3Signature?
  /// The URL of the store as it is written there; nil for Amazon's.
  package let endpoint: String?
  /// Amazon's first one where none is named.
  package let region: String

  package init(_ environment: [String: String]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    let region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
    self.region = region
    signature = value("AWS_ACCESS_KEY_ID").flatMap { identifier in
      value("AWS_SECRET_ACCESS_KEY").map {
        S3Signature(identifier: identifier, secret: $0, token: value("AWS_SESSION_TOKEN"), region: region)
      }
    }
    endpoint = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
  }
}
