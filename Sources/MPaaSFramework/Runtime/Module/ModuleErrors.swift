extension FrameworkError.Code {
  /// A module was registered that is there already.
  public static let moduleRegisteredTwice = FrameworkError.Code(
    "module-registered-twice",
    en: "The module {name} is registered twice, first at {first}.",
    enHelp: "Keep one of the two: a type is one module.",
    zh: "模块 {name} 注册了两次，第一次在 {first}。",
    zhHelp: "请只保留其中一处：一个类型就是一个模块。")
  /// No such module is there.
  public static let moduleUnknown = FrameworkError.Code(
    "app-module-unknown",
    en: "No module is called {name}{suggestion}.",
    enHelp: "Register it under Modules in MobileRuntime.plist, or declare its type as RegisteredModule; "
      + "a module is there from its set-up to its tear-down.",
    zh: "没有名为 {name} 的模块{suggestion}。",
    zhHelp: "请在 MobileRuntime.plist 的 Modules 中注册，或将其类型声明为 RegisteredModule；模块从 set-up 到 tear-down 期间存在。")
  /// A module threw in a step of its life or in an event.
  public static let moduleFailed = FrameworkError.Code(
    "module-failed",
    en: "The module {name} failed in {phase}: {reason}.",
    enHelp: "The other modules go on.",
    zh: "模块 {name} 在 {phase} 中失败：{reason}。",
    zhHelp: "其他模块继续运行。")
  /// A module of level 0 threw, and the start ended there.
  public static let basicModuleFailed = FrameworkError.Code(
    "basic-module-failed",
    en: "The basic module {name} failed in {phase}: {reason}. The start ends here.",
    enHelp: "Others build on a module of level 0; give it level 1 if the app can run without it.",
    zh: "基础模块 {name} 在 {phase} 中失败：{reason}。启动到此结束。",
    zhHelp: "其他模块依赖级别为 0 的模块；如果应用没有它也能运行，请将其级别设为 1。")
  /// Events that trigger events without an end.
  public static let eventTooDeep = FrameworkError.Code(
    "event-too-deep",
    en: "{limit} events triggered one another; {name} is not delivered.",
    enHelp: "Look for handlers that trigger the event that they handle.",
    zh: "已有 {limit} 个事件互相触发；{name} 未被派发。",
    zhHelp: "请检查是否有处理函数触发了它自己所处理的事件。")
}
