public import MPaaSFramework

/// The way in which an app tells its user about an error: the dialogs and toasts of DTRpcException as values.
public struct RPCNotice: Sendable, Hashable {
  /// The form of a notice.
  public enum Style: String, Sendable, Hashable {
    /// Nothing is shown.
    case silent
    /// A line that goes by itself.
    case toast
    /// A dialog that the user closes.
    case dialog
    /// A dialog that leads to the page for logging in.
    case login
    /// The page that says that too many users are there (the limit view), with the time to wait.
    case limit
  }

  /// The form of the notice.
  public let style: Style
  /// The text for the user; empty where nothing is shown.
  public let text: String
  /// The time after which a further attempt makes sense; nil where it is not known.
  public let wait: TimeSpan?

  /// Makes a notice.
  public init(_ style: Style, _ text: String = "", wait: TimeSpan? = nil) {
    self.style = style
    self.text = text
    self.wait = wait
  }
}

extension RPCError {
  /// The notice for the user: the gateway's own text where it sent one (`tips`), else one of the kit's.
  ///
  /// - Parameters:
  ///   - language: The language of the text.
  ///   - showsLimit: False where the app shows nothing of its own about limits (`disableLimitView`).
  public func notice(in language: TextLanguage, showsLimit: Bool = true) -> RPCNotice {
    let style = style(showsLimit)
    let own = response?.tips
    let text = own ?? Self.userText(code, resultCode).text(in: language)
    return style == .silent ? RPCNotice(.silent) : RPCNotice(style, text, wait: retryAfter)
  }

  private func style(_ showsLimit: Bool) -> RPCNotice.Style {
    switch code {
    case .cancelled, .middleware: return .silent
    case .notLoggedIn: return .login
    case .unreachable, .timedOut, .circuitOpen, .failed: return .toast
    case .gateway: break
    default: return .dialog
    }
    switch resultCode {
    case .sessionOver: return .login
    case .limitReached: return showsLimit ? .limit : .silent
    case .serviceTimedOut, .hostUnknown, .serviceFailed, .unknown: return .toast
    default: return .dialog
    }
  }

  private static func userText(_ code: Code, _ result: RPCResultCode?) -> ConsoleText {
    switch (code, result) {
    case (.unreachable, _): ConsoleText("No connection. Check your network.", "网络连接失败，请检查网络。")
    case (.timedOut, _), (.gateway, .serviceTimedOut): ConsoleText("This takes too long. Try again.", "请求超时，请重试。")
    case (.notLoggedIn, _), (.gateway, .sessionOver): ConsoleText("Please log in again.", "请重新登录。")
    case (.gateway, .limitReached): ConsoleText("Too many people are here. Try again later.", "当前人数过多，请稍后再试。")
    case (.gateway, .timeOutOfWindow): ConsoleText("Set the time of your device right.", "请校准设备的系统时间。")
    case (.notTrusted, _), (.cleartext, _): ConsoleText("The connection is not secure.", "连接不安全。")
    default: ConsoleText("Something went wrong. Try again later.", "系统繁忙，请稍后再试。")
    }
  }
}
