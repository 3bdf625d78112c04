/// The key and the place of a store, as the `AWS_…` variables of the environment hold them.
package struct S3Variables: Sendable {
  package struct Key: Sendable, Equatable {
    package let identifier: String
    package let secret: String
    /// The token of a session, for keys that live for a time.
    package let token: String?
  }

  /// nil where identifier or secret is missing.
  package let key: Key?
  /// The URL of the store as it is written there; nil for Amazon's.
  package let endpoint: String?
  /// Amazon's first one where none is named.
  package let region: String

  package init(_ environment: [String: String]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    key = value("AWS_ACCESS_KEY_ID").flatMap { identifier in
      value("AWS_SECRET_ACCESS_KEY").map { Key(identifier: identifier, secret: $0, token: value("AWS_SESSION_TOKEN")) }
    }
    endpoint = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
    region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
  }
}

/// Tells nothing of the key but its identifier, whatever prints what holds it.
extension S3Variables.Key: CustomStringConvertible, CustomReflectable {
  package var description: String { identifier }
  package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
