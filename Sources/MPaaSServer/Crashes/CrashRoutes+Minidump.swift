import HTTPTypes
import Hummingbird
import MPaaSProtocol

/// Minidumps as the uploaders of Breakpad and Crashpad send them to Sentry.
extension CrashRoutes {
  /// One minidump, as a form or as the body itself; answered with the event's name, which the uploaders keep.
  func minidump(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let prepared = try await Self.prepared(request, context, sentry, app: sender.app)
    _ = try await sentry.store(prepared)
    return Response.bytes(Self.hyphenated(prepared.event ?? "").utf8, "text/plain; charset=utf-8")
  }

  /// The body is gone before it is waited for the disk.
  private static func prepared(
    _ request: Request, _ context: ServerContext, _ sentry: SentryIntake, app: String
  ) async throws -> SentryIntake.Prepared {
    let limits = sentry.services.limits
    let body = try await RequestBodyReader.all(of: request, context, limit: limits.report, limits: limits)
    defer { context.body.hold?.release() }
    let form = try body.withUnsafeBytes {
      try MinidumpForm($0, contentType: request.headers[.contentType], limits, context.body.hold)
    }
    return try sentry.prepare(form, app: app)
  }

  /// 32 digits in the groups of a UUID.
  private static func hyphenated(_ event: String) -> String {
    var text = event
    for place in [20, 16, 12, 8] where event.utf8.count == 32 {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }
}
