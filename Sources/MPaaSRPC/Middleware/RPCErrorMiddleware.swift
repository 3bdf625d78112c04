public import MPaaSFramework

/// A layer that tells the app what to show its user about errors: the dialogs and toasts of DTRpcException.
public struct RPCErrorMiddleware: RPCMiddleware {
  private let language: @Sendable () -> TextLanguage
  private let show: @Sendable (RPCNotice, RPCError) async -> Void

  /// Makes the layer.
  ///
  /// - Parameters:
  ///   - language: The language of the texts.
  ///   - show: Shows a notice; it is not called for errors of which nothing is shown.
  public init(
    language: @escaping @Sendable () -> TextLanguage,
    show: @escaping @Sendable (RPCNotice, RPCError) async -> Void
  ) {
    self.language = language
    self.show = show
  }

  /// Shows the notice, and lets the error go on.
  public func failed(_ error: RPCError, in call: RPCCall) async throws(RPCError) -> RPCRecovery {
    let notice = error.notice(in: language(), showsLimit: call.showsLimit)
    if notice.style != .silent { await show(notice, error) }
    return .fail
  }
}
