import HTTPTypes
import Hummingbird
import MPaaSSupport

/// Answers with what Sentry's SDKs look for beside their status.
///
/// - Source: "Rate Limiting", develop.sentry.dev/sdk/expected-features/rate-limiting.
enum SentryAnswer {
  private static let limits = HTTPField.Name("X-Sentry-Rate-Limits")
  private static let reason = HTTPField.Name("X-Sentry-Error")
  /// The categories of what quotas count.
  private static let counted = "default;error;attachment;feedback"
  private static let exposed = "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After"

  /// The answer of `body`; pages of any site may read it, and a client that came too often is told for how long to say
  /// nothing.
  static func of(_ body: () async throws -> Response) async throws -> Response {
    do {
      var response = try await body()
      response.headers[.accessControlAllowOrigin] = "*"
      return response
    } catch {
      guard var refusal = Refusal(any: error) else { throw error }
      refusal.headers[.accessControlAllowOrigin] = "*"
      refusal.headers[.accessControlExposeHeaders] = exposed
      if let reason { refusal.headers[reason] = refusal.error.code.id.name }
      if refusal.status == .tooManyRequests, let limits {
        // Without categories it is about all of them; sessions go on beyond a quota.
        let categories = refusal.error.code == .quota ? Self.counted : ""
        refusal.headers[limits] = "\(refusal.headers[.retryAfter] ?? "1"):\(categories):key"
      }
      throw refusal
    }
  }
}
