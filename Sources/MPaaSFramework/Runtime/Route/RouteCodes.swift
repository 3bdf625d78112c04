extension FrameworkError.Code {
  /// A text is not a URL.
  public static let routeURLMalformed = FrameworkError.Code(
    "route-url-malformed",
    en: "{name} is not a URL that can be opened: {part}.",
    enHelp: "Write SCHEME://HOST/PATH?NAME=VALUE, with other characters as %XX of their UTF-8.",
    zh: "{name} 不是可以打开的 URL：{part}。",
    zhHelp: "请写成 SCHEME://HOST/PATH?NAME=VALUE，其他字符用其 UTF-8 的 %XX 表示。")
  /// There is no handler for URLs of this kind.
  public static let routeUnhandled = FrameworkError.Code(
    "route-unhandled",
    en: "None of {count} handlers and routes opens {name}.",
    enHelp: "Register a SchemeHandler, or add a route whose pattern fits.",
    zh: "{count} 个处理器和路由中没有一个能打开 {name}。",
    zhHelp: "请注册 SchemeHandler，或添加与之匹配的路由。")
  /// A handler or route threw.
  public static let routeFailed = FrameworkError.Code(
    "route-failed",
    en: "{route} failed to open {name}: {reason}.",
    enHelp: "See what it throws for this URL.",
    zh: "{route} 未能打开 {name}：{reason}。",
    zhHelp: "请检查它对该 URL 抛出的错误。")
  /// A pattern cannot be read.
  public static let routePatternMalformed = FrameworkError.Code(
    "route-pattern-malformed",
    en: "The route {name} cannot be read at \"{part}\".",
    enHelp: "Write scheme://host/part/{id}, or /part/{id} for any scheme; each name once, {rest*} only at the end.",
    zh: "无法读取路由 {name} 中的“{part}”。",
    zhHelp: "请写成 scheme://host/part/{id}，或用 /part/{id} 匹配任意 scheme；每个名称只能出现一次，{rest*} 只能在末尾。")
  /// Two routes have the same pattern.
  public static let routeRegisteredTwice = FrameworkError.Code(
    "route-registered-twice",
    en: "The route {name} is added a second time at {other_place}.",
    enHelp: "Remove one of them.",
    zh: "路由 {name} 在 {other_place} 重复添加。",
    zhHelp: "请删除其中一个。")
  /// A value that is needed was not given.
  public static let parameterMissing = FrameworkError.Code(
    "parameter-missing",
    en: "The parameter {parameter} of {name} is missing; it is of type {type}.",
    enHelp: "Give it in the URL's query, or with the other parameters.",
    zh: "{name} 缺少参数 {parameter}，其类型为 {type}。",
    zhHelp: "请在 URL 的查询部分或其他参数中给出。")
  /// A value is not of its type.
  public static let parameterMalformed = FrameworkError.Code(
    "parameter-malformed",
    en: "The parameter {parameter} of {name} is \"{value}\", which is not of type {type}.",
    enHelp: "Correct the value where the URL or the call is made.",
    zh: "{name} 的参数 {parameter} 为“{value}”，不是 {type} 类型。",
    zhHelp: "请在构造 URL 或发起调用处更正该值。")
  /// A method's name has no module in it.
  public static let methodNameMalformed = FrameworkError.Code(
    "method-name-malformed",
    en: "{name} is not the name of a method.",
    enHelp: "Write module.method, without spaces.",
    zh: "{name} 不是方法名。",
    zhHelp: "请写成 module.method，不含空格。")
  /// There is no exported method of that name.
  public static let methodUnknown = FrameworkError.Code(
    "method-unknown",
    en: "No module exports {name}{suggestion}.",
    enHelp: "Export it with context.methods.export before it is called.",
    zh: "没有模块导出 {name}{suggestion}。",
    zhHelp: "请在调用之前用 context.methods.export 导出。")
  /// Two modules export the same name.
  public static let methodRegisteredTwice = FrameworkError.Code(
    "method-registered-twice",
    en: "The method {name} is exported a second time at {other_place}.",
    enHelp: "Give one of them another name, or withdraw the first.",
    zh: "方法 {name} 在 {other_place} 重复导出。",
    zhHelp: "请为其中一个改名，或先撤回前一个。")
  /// The caller and the exporter have different types in mind.
  public static let methodTypeMismatch = FrameworkError.Code(
    "method-type-mismatch",
    en: "The method {name} takes or gives {expected}, not {given}.",
    enHelp: "Declare the method as an ExportedMethod that both sides use.",
    zh: "方法 {name} 的输入或输出类型是 {expected}，而不是 {given}。",
    zhHelp: "请将该方法声明为双方共用的 ExportedMethod。")
  /// The method threw.
  public static let methodFailed = FrameworkError.Code(
    "method-failed",
    en: "The method {name} failed: {reason}.",
    enHelp: "See what it throws for this input.",
    zh: "方法 {name} 失败：{reason}。",
    zhHelp: "请检查它对该输入抛出的错误。")
}
