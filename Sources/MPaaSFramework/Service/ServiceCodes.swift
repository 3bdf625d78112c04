extension FrameworkError.Code {
  /// Nothing is registered under that name or protocol.
  public static let serviceUnknown = FrameworkError.Code(
    "service-unknown",
    en: "No service is registered for {name}{suggestion}.",
    enHelp:
      "Register it under Services in MobileRuntime.plist, declare its type as RegisteredService, or call register.",
    zh: "没有为 {name} 注册服务{suggestion}。",
    zhHelp: "请在 MobileRuntime.plist 的 Services 中注册，或将其类型声明为 RegisteredService，或调用 register。")
  /// Two services have the same name or protocol.
  public static let serviceRegisteredTwice = FrameworkError.Code(
    "service-registered-twice",
    en: "The service {name} is registered twice, for {first} and {second}{other_place}.",
    enHelp: "Give one of them another name or protocol, or unregister the first.",
    zh: "服务 {name} 注册了两次，分别对应 {first} 与 {second}{other_place}。",
    zhHelp: "请为其中一个使用其他名称或协议，或先注销前一个。")
  /// The service's own code threw while it was made.
  public static let serviceFailed = FrameworkError.Code(
    "service-failed",
    en: "The service {name} failed in {step}{path}: {reason}.",
    enHelp: "It is made anew when it is next asked for.",
    zh: "服务 {name} 在 {step} 中失败{path}：{reason}。",
    zhHelp: "下次请求该服务时会重新创建。")
  /// Services need each other while they are made.
  public static let serviceCycle = FrameworkError.Code(
    "service-cycle",
    en: "Services need each other while they are made: {path}.",
    enHelp: "Let one of them ask for the other when it is used, or in start(), not in init(services:) or didCreate().",
    zh: "服务在创建过程中互相依赖：{path}。",
    zhHelp: "请让其中一个在使用时或在 start() 中再请求另一个，而不要在 init(services:) 或 didCreate() 中请求。")
  /// The service's class does not conform to the protocol that it is registered for.
  public static let serviceNotInterface = FrameworkError.Code(
    "service-not-interface",
    en: "The service {name} is a {type}, which is no {interface}.",
    enHelp: "Let the class conform to the protocol, or correct the protocol in the registration.",
    zh: "服务 {name} 的类型 {type} 不符合 {interface}。",
    zhHelp: "请让该类遵循此协议，或更正注册中的协议。")
}
