public import MPaaSFramework

/// The gateway's word on a call: 1000 for success, else what went wrong.
public struct RPCResultCode: RawRepresentable, Sendable, Hashable {
  /// The number that the gateway sends.
  public let rawValue: Int

  /// Makes a code of its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The call was carried out.
  public static let success = RPCResultCode(rawValue: 1000)
  /// The gateway denies the call.
  public static let denied = RPCResultCode(rawValue: 1001)
  /// The operation was called too often.
  public static let limitReached = RPCResultCode(rawValue: 1002)
  /// The app or the user may not call the operation.
  public static let notAuthorized = RPCResultCode(rawValue: 1005)
  /// The user's session is over.
  public static let sessionOver = RPCResultCode(rawValue: 2000)
  /// There is no such operation, or it is closed.
  public static let noOperation = RPCResultCode(rawValue: 3000)
  /// The call has no arguments at all.
  public static let dataEmpty = RPCResultCode(rawValue: 3001)
  /// The arguments cannot be read.
  public static let dataMalformed = RPCResultCode(rawValue: 3002)
  /// The call cannot be decrypted.
  public static let decryption = RPCResultCode(rawValue: 3003)
  /// The service behind the gateway took too long.
  public static let serviceTimedOut = RPCResultCode(rawValue: 4001)
  /// The service behind the gateway failed.
  public static let serviceFailed = RPCResultCode(rawValue: 4002)
  /// The gateway does not find the service's host.
  public static let hostUnknown = RPCResultCode(rawValue: 4003)
  /// The gateway does not say more.
  public static let unknown = RPCResultCode(rawValue: 5000)
  /// The gateway has no key for the app.
  public static let noKey = RPCResultCode(rawValue: 7000)
  /// The signature lacks arguments.
  public static let signatureArguments = RPCResultCode(rawValue: 7001)
  /// The signature is wrong.
  public static let signatureWrong = RPCResultCode(rawValue: 7002)
  /// The time of the call is too far from the gateway's.
  public static let timeOutOfWindow = RPCResultCode(rawValue: 7003)
  /// The call has no time.
  public static let noTime = RPCResultCode(rawValue: 7007)
  /// The call has no signature.
  public static let noSignature = RPCResultCode(rawValue: 7014)
  /// The browser's question before a call from another origin was refused.
  public static let preflight = RPCResultCode(rawValue: 8002)

  /// True for codes of the service itself, whose meaning only the app knows: 6000 to 6999.
  public var isOfService: Bool { 6000..<7000 ~= rawValue }

  /// True where the same call may succeed a little later.
  public var isPassing: Bool { [Self.serviceTimedOut, .hostUnknown].contains(self) }

  /// The meaning in a few words, in both languages.
  public var meaning: ConsoleText {
    if let known = Self.meanings[rawValue] { return known }
    return isOfService ? ConsoleText("an error of the service", "业务错误") : ConsoleText("unknown code", "未知的结果码")
  }

  /// True for codes that the gateway's pages name.
  public var isKnown: Bool { Self.meanings[rawValue] != nil }

  private static let meanings: [Int: ConsoleText] = [
    1000: ConsoleText("success", "成功"),
    1001: ConsoleText("the call is denied", "拒绝访问"),
    1002: ConsoleText("the limit of calls is reached", "调用次数超过限制"),
    1005: ConsoleText("not authorized", "未授权"),
    2000: ConsoleText("the session is over, log in again", "登录已失效，请重新登录"),
    3000: ConsoleText("no such operation, or it is closed", "接口不存在或已关闭"),
    3001: ConsoleText("the request data is empty", "请求数据为空"),
    3002: ConsoleText("the request data is malformed", "请求数据格式错误"),
    3003: ConsoleText("the request data cannot be decrypted", "请求数据解密失败"),
    4001: ConsoleText("the service took too long", "服务请求超时"),
    4002: ConsoleText("the service failed", "服务调用异常"),
    4003: ConsoleText("the service's host is unknown", "服务域名无法解析"),
    5000: ConsoleText("unknown error", "未知错误"),
    7000: ConsoleText("the gateway has no key for the app", "网关没有该应用的密钥"),
    7001: ConsoleText("arguments of the signature are missing", "缺少签名参数"),
    7002: ConsoleText("the signature is wrong", "签名错误"),
    7003: ConsoleText("the time of the call is out of the window", "请求时间超出允许范围"),
    7007: ConsoleText("the call has no time", "缺少请求时间"),
    7014: ConsoleText("the call has no signature", "缺少签名"),
    8002: ConsoleText("the preflight request was refused", "跨域预检请求被拒绝"),
  ]
}
