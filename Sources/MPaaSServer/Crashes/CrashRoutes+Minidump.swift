import HTTPTypes
import Hummingbird
import MPaaSProtocol

/// Minidumps as the uploaders of Breakpad and Crashpad send them to Sentry.
extension CrashRoutes {
  /// One minidump, as a form or as the body itself; answered with the event's name, which the uploaders keep.
  func minidump(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let prepared = try await Self.prepared(request, context, sentry, sender)
    _ = try await sentry.store(prepared)
    return Response.bytes(Self.hyphenated(prepared.event ?? "").utf8, "text/plain; charset=utf-8")
  }

  /// The body is gone before it is waited for the disk.
  private static func prepared(
    _ request: Request, _ context: ServerContext, _ sentry: SentryIntake, _ sender: Sender
  ) async throws -> SentryIntake.Prepared {
    let (limits, services) = (sentry.services.limits, sentry.services)
    if let refusal = services.quotas.refusal(sender.quota, at: services.now()) { throw refusal }
    let body = try await RequestBodyReader.all(of: request, context, limit: limits.report, limits: limits)
    defer { context.body.hold?.release() }
    try await services.quotas.take(sender.quota, bytes: Int64(body.count), at: services.now(), in: services.store)
    let form = try body.withUnsafeBytes {
      try MinidumpForm($0, contentType: request.headers[.contentType], limits, context.body.hold)
    }
    return try sentry.prepare(form, app: sender.app)
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
