/// The line that `mpaas serve` prints when it is ready.
package struct ServerReady: Codable, Sendable, Equatable {
  package var url: String
  /// The endpoint of resumable uploads.
  package var uploads: String
  /// The endpoint of crash reports.
  package var crashes: String
  /// Names the app; enough to send crashes by Sentry's SDKs.
  package var appKey: String
  /// Goes in `Authorization: Bearer`; nil after the first start, as tokens are told once.
  package var token: String?
  /// For Sentry's SDKs.
  package var dsn: String

  package init(url: String, uploads: String, crashes: String, appKey: String, token: String?, dsn: String) {
    self.url = url
    self.uploads = uploads
    self.crashes = crashes
    self.appKey = appKey
    self.token = token
    self.dsn = dsn
  }

  private enum CodingKeys: String, CodingKey {
    case url, uploads, crashes, token, dsn
    case appKey = "app_key"
  }
}
