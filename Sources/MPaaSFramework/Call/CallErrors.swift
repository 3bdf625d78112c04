extension FrameworkError.Code {
  /// A description of a service names no server for the environment.
  public static let callServerUnknown = FrameworkError.Code(
    "call-server-unknown",
    en: "{name} names no server for the environment {environment}, only for: {known}.",
    enHelp: "Add it under \"server\" and generate the code again, or make the controller with the server's address.",
    zh: "{name} 没有为环境 {environment} 指定服务器，只有：{known}。",
    zhHelp: "请在 \"server\" 中添加并重新生成代码，或以服务器地址创建控制器。")
  /// A part of the URL that is filled in when the call is sent would be empty, or dots that lead out of it.
  public static let callParameterUnfit = FrameworkError.Code(
    "call-parameter-unfit",
    en: "{call} cannot be sent: its parameter {parameter} is \"{value}\", which no path can hold.",
    enHelp: "Check the value before the message is sent.",
    zh: "无法发送 {call}：参数 {parameter} 为“{value}”，不能放在路径中。",
    zhHelp: "请在发送消息前检查该值。")
  /// A header field would hold a line end or another control character.
  public static let callHeaderMalformed = FrameworkError.Code(
    "call-header-malformed",
    en: "{call} cannot be sent: its header field {header} holds a control character.",
    enHelp: "Remove line ends from the value.",
    zh: "无法发送 {call}：头部字段 {header} 含有控制字符。",
    zhHelp: "请去掉值中的换行。")
  /// The transport threw; `underlying` is what it threw.
  public static let callUnanswered = FrameworkError.Code(
    "call-unanswered",
    en: "{call} got no answer: {reason}.",
    enHelp: "Check the network and the server's address.",
    zh: "{call} 没有得到应答：{reason}。",
    zhHelp: "请检查网络和服务器地址。")
  /// The server answered with a status outside of 200 to 299; `underlying` is the `CallRefusal`.
  public static let callRefused = FrameworkError.Code(
    "call-refused",
    en: "{call} was answered with status {status}.",
    enHelp: "The server's answer is in the error's underlying CallRefusal.",
    zh: "{call} 的应答状态是 {status}。",
    zhHelp: "服务器的应答在错误的 underlying（CallRefusal）中。")
  /// The answer is not what the call's description says; `underlying` tells what is wrong where.
  public static let callAnswerMalformed = FrameworkError.Code(
    "call-answer-malformed",
    en: "The answer to {call} is not as described: {reason}.",
    enHelp: "Correct the description of the service and generate the code again, or the server.",
    zh: "{call} 的应答与描述不符：{reason}。",
    zhHelp: "请更正服务的描述并重新生成代码，或更正服务器。")
}

/// The answer of a server that did not do as it was asked.
public struct CallRefusal: Error, Sendable, CustomStringConvertible {
  /// `GET /books/:id`.
  public let call: String
  /// The server's answer, with its status, header fields and body.
  public let response: MessageTransport.Response

  /// Makes the refusal of a call, from the call's name and the server's answer.
  public init(call: String, response: MessageTransport.Response) {
    self.call = call
    self.response = response
  }

  /// The call and the status of its answer: `GET /books/:id: 404`.
  public var description: String { "\(call): \(response.status)" }
}
