extension ConsoleCommand {
  /// The commands that every console can do; `help` and `quit` are the console's own.
  static let builtIn: [ConsoleCommand] =
    [start, exit, home, stack, apps, services, methods, call, routes, open, language] + ofModules

  static let language = ConsoleCommand(
    "language", usage: "[TAG | system]",
    summary: ConsoleText("the app's languages, or speak another one", "列出应用的语言，或切换语言")
  ) { input, context in
    if let tag = input.names.first {
      let language = tag == "system" ? nil : try context.languages.language(named: tag)
      if let error = FrameworkError.first(of: try context.speak(language)) { throw error }
    }
    return Self.languages(context, input.language)
  }

  @MainActor private static func languages(_ context: MobileContext, _ language: TextLanguage) -> String {
    ConsoleTable.text(
      LanguagePage.rows(context.languages, in: language).map { row in
        [row.isChosen ? "*" : "", row.language?.tag ?? "system", row.title]
      })
  }

  static let start = ConsoleCommand(
    "start", usage: "APP [KEY=VALUE…]", least: 1,
    summary: ConsoleText("start a micro-app, or go back to it", "启动微应用，或返回已启动的微应用")
  ) { input, context in
    try context.start(input.names[0], parameters: input.parameters)
    return Self.shown(context)
  }

  static let exit = ConsoleCommand(
    "exit", usage: "[APP] [KEY=VALUE…]",
    summary: ConsoleText("end a micro-app, the current one without a name", "结束微应用；不带名称时结束当前微应用")
  ) { input, context in
    try context.exit(input.names.first, returning: input.parameters)
    return Self.shown(context)
  }

  static let home = ConsoleCommand(
    "home", otherNames: ["launcher"], usage: "[KEY=VALUE…]",
    summary: ConsoleText("go back to the launcher", "返回启动器（Launcher）")
  ) { input, context in
    try context.backToLauncher(parameters: input.parameters)
    return Self.shown(context)
  }

  static let stack = ConsoleCommand(
    "stack", summary: ConsoleText("the micro-apps that run, the current one first", "正在运行的微应用，当前微应用在最前")
  ) { input, context in
    let rows = context.stack.reversed().map {
      [$0.name, $0.state.text(in: input.language), "\($0.options.parameters)"]
    }
    return ConsoleTable.text(rows)
  }

  static let apps = ConsoleCommand(
    "apps", otherNames: ["applications"],
    summary: ConsoleText("the micro-apps that can be started", "可以启动的微应用")
  ) { _, context in
    ConsoleTable.text(
      context.applications.map { [$0.name, $0.title ?? "", "\($0.delegate)", $0.place.map { "\($0)" } ?? ""] })
  }

  static let services = ConsoleCommand(
    "services", summary: ConsoleText("the services, and which of them were made", "服务及其是否已创建")
  ) { input, context in
    let made = ConsoleText("made", "已创建")
    return ConsoleTable.text(
      context.services.entries.map { entry, isMade in
        [
          entry.name, entry.interface.map { "\($0)" } ?? "\(entry.type)", isMade ? made.text(in: input.language) : "",
          entry.place.map { "\($0)" } ?? "",
        ]
      })
  }

  static let methods = ConsoleCommand(
    "methods", summary: ConsoleText("the methods that modules export", "各模块导出的方法")
  ) { _, context in
    ConsoleTable.text(context.methods.list.map { [$0.name, "\($0.input) → \($0.output)", "\($0.place)"] })
  }

  static let call = ConsoleCommand(
    "call", usage: "MODULE.METHOD [TEXT]", least: 1,
    summary: ConsoleText("call an exported method that takes and gives text", "调用输入和输出均为文本的导出方法")
  ) { input, context in
    let text = input.words.dropFirst().joined(separator: " ")
    return try await context.methods.call(input.words[0], text, returning: String.self)
  }

  static let routes = ConsoleCommand(
    "routes", summary: ConsoleText("who opens URLs, in the order in which they are asked", "按询问顺序列出打开 URL 的处理器与路由")
  ) { _, context in
    ConsoleTable.text(context.routes.titles.map { [$0.title, $0.place.map { "\($0)" } ?? ""] })
  }

  static let open = ConsoleCommand(
    "open", usage: "URL",
    summary: ConsoleText("open a URL by the first handler or route that can", "由第一个可处理的处理器或路由打开 URL")
  ) { input, context in
    guard let url = input.words.first else { throw ConsoleUsage() }
    let opener = try context.open(url)
    return "\(opener)\n\(Self.shown(context))"
  }

  /// The stack on a line, the launcher first.
  @MainActor private static func shown(_ context: MobileContext) -> String {
    context.stack.map(\.name).joined(separator: " › ")
  }
}

/// Thrown by a command that was not given what it needs: the console answers with the usage.
struct ConsoleUsage: Error {}

extension MicroApp.State {
  fileprivate func text(in language: TextLanguage) -> String {
    let text =
      switch self {
      case .created: ConsoleText("created", "已创建")
      case .starting: ConsoleText("starting", "正在启动")
      case .running: ConsoleText("running", "运行中")
      case .paused: ConsoleText("paused", "已暂停")
      case .terminated: ConsoleText("ended", "已结束")
      }
    return text.text(in: language)
  }
}
