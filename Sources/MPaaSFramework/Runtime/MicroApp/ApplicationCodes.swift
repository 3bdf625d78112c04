extension FrameworkError.Code {
  /// No micro-app of that name is registered.
  public static let applicationUnknown = FrameworkError.Code(
    "application-unknown",
    en: "No micro-app is called {name}{suggestion}.",
    enHelp: "Register it under Applications in MobileRuntime.plist, or declare its type as RegisteredApplication.",
    zh: "没有名为 {name} 的微应用{suggestion}。",
    zhHelp: "请在 MobileRuntime.plist 的 Applications 中注册，或将其类型声明为 RegisteredApplication。")
  /// The micro-app is not on the stack.
  public static let applicationNotRunning = FrameworkError.Code(
    "application-not-running",
    en: "The micro-app {name} is not on the stack.",
    enHelp: "Start it first; context.stack lists what runs.",
    zh: "微应用 {name} 不在栈中。",
    zhHelp: "请先启动它；context.stack 列出正在运行的微应用。")
  /// Two entries have the same name.
  public static let applicationRegisteredTwice = FrameworkError.Code(
    "application-registered-twice",
    en: "The micro-app {name} is registered twice, for {first} and {second}{other_place}.",
    enHelp: "Give one of them another name.",
    zh: "微应用 {name} 注册了两次，分别对应 {first} 与 {second}{other_place}。",
    zhHelp: "请修改其中一个的名称。")
  /// The micro-app answered that it does not start now.
  public static let applicationRefusesStart = FrameworkError.Code(
    "application-refuses-start",
    en: "The micro-app {name} does not want to be started now.",
    enHelp: "Its applicationShouldStart(_:options:) answered false.",
    zh: "微应用 {name} 目前拒绝启动。",
    zhHelp: "其 applicationShouldStart(_:options:) 返回了 false。")
  /// The micro-app answered that it cannot exit now.
  public static let applicationRefusesExit = FrameworkError.Code(
    "application-refuses-exit",
    en: "The micro-app {name} cannot exit now.",
    enHelp: "Its applicationShouldTerminate(_:) answered false; forceExit() does not ask.",
    zh: "微应用 {name} 目前不能退出。",
    zhHelp: "其 applicationShouldTerminate(_:) 返回了 false；forceExit() 不会询问。")
  /// A callback of the life cycle threw.
  public static let applicationStepFailed = FrameworkError.Code(
    "application-step-failed",
    en: "The micro-app {name} failed in {step}: {reason}.",
    enHelp: "A start that failed was undone; an exit or a resumption was carried out all the same.",
    zh: "微应用 {name} 在 {step} 中失败：{reason}。",
    zhHelp: "失败的启动已撤销；退出与恢复仍会执行完毕。")
  /// The launcher ends with the context, not by itself.
  public static let launcherStays = FrameworkError.Code(
    "launcher-stays",
    en: "{name} is the launcher, which does not exit by itself.",
    enHelp: "backToLauncher() ends what is above it; terminate() ends everything.",
    zh: "{name} 是启动器（Launcher），不能单独退出。",
    zhHelp: "backToLauncher() 会结束其上的所有微应用；terminate() 会结束全部。")
  /// Several tables name different launchers.
  public static let launcherAmbiguous = FrameworkError.Code(
    "launcher-ambiguous",
    en: "Two tables name different launchers: {name} and {second}.",
    enHelp: "Keep Launcher in one MobileRuntime.plist.",
    zh: "两个运行时表指定了不同的启动器：{name} 与 {second}。",
    zhHelp: "请只在一个 MobileRuntime.plist 中保留 Launcher。")
  /// The table names no launcher.
  public static let launcherMissing = FrameworkError.Code(
    "launcher-missing",
    en: "There is no launcher to go back to.",
    enHelp: "Name one under Launcher in MobileRuntime.plist.",
    zh: "没有可以返回的启动器。",
    zhHelp: "请在 MobileRuntime.plist 的 Launcher 中指定。")
  /// Callbacks start and exit micro-apps without end.
  public static let transitionLoop = FrameworkError.Code(
    "transition-loop",
    en: "Callbacks of micro-apps asked for {count} changes in a row; the last is {name}.",
    enHelp:
      "Look for two micro-apps that start each other when they are launched or resumed. What was still to do is dropped.",
    zh: "微应用的回调连续请求了 {count} 次切换，最后一次是 {name}。",
    zhHelp: "请检查是否有两个微应用在启动或恢复时互相启动。尚未执行的切换已丢弃。")
  /// The context has ended.
  public static let contextTerminated = FrameworkError.Code(
    "context-terminated",
    en: "{name}: the context has ended.",
    enHelp: "After terminate() make a new MobileContext.",
    zh: "{name}：上下文已经结束。",
    zhHelp: "terminate() 之后请创建新的 MobileContext。")
}
