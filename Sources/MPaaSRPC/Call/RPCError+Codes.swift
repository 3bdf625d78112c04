import MPaaSSupport

extension RPCError.Code {
  /// Neither the configuration nor the call names a gateway.
  public static let noGateway = RPCError.Code(
    "rpc-no-gateway",
    en: "{operation} has no gateway to go to.",
    enHelp: "Give the configuration a gateway, or a GatewayConfig.plist with mPaasRpcGateway.",
    zh: "{operation} 没有可用的网关。",
    zhHelp: "请在配置中指定网关，或在 GatewayConfig.plist 中设置 mPaasRpcGateway。", exit: .badConfiguration)
  /// An address that is none of HTTP.
  public static let addressMalformed = RPCError.Code(
    "rpc-address-malformed",
    en: "{address} is no address of HTTP.",
    enHelp: "Write it with https:// and a host.",
    zh: "{address} 不是有效的 HTTP 地址。",
    zhHelp: "请写成带主机名的 https:// 地址。", exit: .usage)
  /// An address without encryption where it is not allowed.
  public static let cleartext = RPCError.Code(
    "rpc-cleartext",
    en: "{address} is not encrypted, and was not called.",
    enHelp: "Use https, or set allowsCleartext for this gateway (--allow-cleartext of the command).",
    zh: "{address} 未加密，因此没有发送请求。",
    zhHelp: "请使用 https，或为该网关设置 allowsCleartext（命令行用 --allow-cleartext）。", exit: .notPermitted)
  /// A header field that would break out of its line.
  public static let headerMalformed = RPCError.Code(
    "rpc-header-malformed",
    en: "The header field {header} cannot be sent: its name or value holds characters that are not allowed.",
    enHelp: "Remove line ends and control characters.",
    zh: "无法发送头部字段 {header}：名称或值含有不允许的字符。",
    zhHelp: "请去掉换行和控制字符。", exit: .usage)
  /// An argument that cannot be written as JSON.
  public static let arguments = RPCError.Code(
    "rpc-arguments",
    en: "The arguments of {operation} cannot be written as JSON: {reason}.",
    enHelp: "Check the values; JSON has neither infinity nor NaN.",
    zh: "{operation} 的参数无法写成 JSON：{reason}。",
    zhHelp: "请检查参数的值；JSON 不支持无穷大和 NaN。", exit: .malformedInput)
  /// No connection to the server, or one that broke off.
  public static let unreachable = RPCError.Code(
    "rpc-unreachable",
    en: "{operation} got no answer: {reason}.",
    enHelp: "Check the network and the gateway's address.",
    zh: "{operation} 没有得到应答：{reason}。",
    zhHelp: "请检查网络和网关地址。")
  /// The server's certificate or key is not the expected one.
  public static let notTrusted = RPCError.Code(
    "rpc-not-trusted",
    en: "The server for {operation} is not trusted: {reason}.",
    enHelp: "Check the certificate, and the pins where the configuration has some.",
    zh: "{operation} 的服务器不可信：{reason}。",
    zhHelp: "请检查证书；如果配置了公钥绑定，也请一并检查。", exit: .notPermitted)
  /// The time for the call is over.
  public static let timedOut = RPCError.Code(
    "rpc-timed-out",
    en: "{operation} took longer than allowed.",
    enHelp: "Try again, or give the call more time.",
    zh: "{operation} 超时。",
    zhHelp: "请重试，或为该调用设置更长的时间。", exit: .tryAgain)
  /// The caller did not want the result any more.
  public static let cancelled = RPCError.Code(
    "rpc-cancelled",
    en: "{operation} was canceled.",
    enHelp: "Call it again where the result is still wanted.",
    zh: "{operation} 已取消。",
    zhHelp: "如仍需要结果，请重新调用。", exit: .interrupted)
  /// An answer beyond the limit, compressed or not.
  public static let tooLarge = RPCError.Code(
    "rpc-answer-too-large",
    en: "The answer to {operation} is larger than {limit} bytes.",
    enHelp: "Ask for less, or raise the limit of the configuration.",
    zh: "{operation} 的应答超过 {limit} 字节。",
    zhHelp: "请减少请求的数据，或提高配置中的上限。")
  /// An answer whose compression is damaged, or unknown.
  public static let encodingBroken = RPCError.Code(
    "rpc-answer-encoding",
    en: "The answer to {operation} cannot be decompressed ({encoding}).",
    enHelp: "Check the server; its answer was cut, or says something else than it is.",
    zh: "无法解压 {operation} 的应答（{encoding}）。",
    zhHelp: "请检查服务器：应答不完整，或与其声明的编码不符。")
  /// An answer that is not what the method says.
  public static let answerMalformed = RPCError.Code(
    "rpc-answer-malformed",
    en: "The answer to {operation} is not as described: {reason}.",
    enHelp: "Correct the type of the result, or the server.",
    zh: "{operation} 的应答与描述不符：{reason}。",
    zhHelp: "请更正结果的类型，或更正服务器。", exit: .malformedInput)
  /// A status from 400 to 499.
  public static let refused = RPCError.Code(
    "rpc-refused",
    en: "{operation} was refused with status {status}.",
    enHelp: "The server's answer says why.",
    zh: "{operation} 被拒绝，状态码 {status}。",
    zhHelp: "原因见服务器的应答。")
  /// A status of 500 or more, or one that is none.
  public static let failed = RPCError.Code(
    "rpc-failed",
    en: "The server failed at {operation} with status {status}.",
    enHelp: "Try again later.",
    zh: "服务器处理 {operation} 失败，状态码 {status}。",
    zhHelp: "请稍后重试。", exit: .tryAgain)
  /// A result code of the gateway other than 1000.
  public static let gateway = RPCError.Code(
    "rpc-result",
    en: "The gateway answered {operation} with {result}: {meaning}.",
    enHelp: "The fields memo and tips of the answer may say more.",
    zh: "网关对 {operation} 返回 {result}：{meaning}。",
    zhHelp: "应答头部的 memo 和 tips 可能有更多说明。")
  /// The operation wants a user, and none is logged in.
  public static let notLoggedIn = RPCError.Code(
    "rpc-not-logged-in",
    en: "{operation} needs a user who is logged in.",
    enHelp: "Log in first.",
    zh: "{operation} 需要先登录。", zhHelp: "请先登录。", exit: .notPermitted)
  /// The gateway failed too often, and is left alone for a while.
  public static let circuitOpen = RPCError.Code(
    "rpc-circuit-open",
    en: "{operation} was not sent: {host} has failed too often.",
    enHelp: "It is tried again in {seconds} seconds.",
    zh: "没有发送 {operation}：{host} 失败次数过多。",
    zhHelp: "{seconds} 秒后会再次尝试。", exit: .tryAgain)
  /// The call is to be signed, and cannot be.
  public static let notSigned = RPCError.Code(
    "rpc-not-signed",
    en: "{operation} could not be signed: {reason}.",
    enHelp: "Give the client a signer with a key.",
    zh: "无法为 {operation} 加签：{reason}。",
    zhHelp: "请为客户端提供带密钥的签名器。", exit: .badConfiguration)
  /// A file of the client that cannot be read or written.
  public static let storage = RPCError.Code(
    "rpc-storage",
    en: "The client's file {file} cannot be used: {reason}.",
    enHelp: "Check the folder and the space on the disk.",
    zh: "无法使用客户端文件 {file}：{reason}。",
    zhHelp: "请检查文件夹和磁盘空间。", exit: .inputOutput)
  /// More calls in the queue than it holds.
  public static let queueFull = RPCError.Code(
    "rpc-queue-full",
    en: "The queue holds {limit} calls already.",
    enHelp: "Let it run, or remove calls that are not needed any more.",
    zh: "队列中已有 {limit} 个调用。",
    zhHelp: "请等待队列执行，或移除不再需要的调用。", exit: .tryAgain)
  /// An error of an app's own middleware.
  public static let middleware = RPCError.Code(
    "rpc-middleware",
    en: "{operation} was stopped by the app: {reason}.",
    enHelp: "The app's middleware decided so.",
    zh: "{operation} 被应用中止：{reason}。",
    zhHelp: "这是应用的中间件决定的。")
  /// A file of spans with a line that is none.
  package static let spansMalformed = RPCError.Code(
    "rpc-spans-malformed",
    en: "{file}:{line} is no span of a call.",
    enHelp: "The file is one that RPCSpanFile writes: a JSON object a line.",
    zh: "{file}:{line} 不是调用的跨度记录。",
    zhHelp: "该文件应由 RPCSpanFile 写入：每行一个 JSON 对象。", exit: .malformedInput)
}
