import MPaaSTime

extension ConsoleCommand {
  /// The commands about modules, their events, messages and the time that all takes.
  static let ofModules: [ConsoleCommand] = [modules, event, send, messages, freeze, release, trace, environment]

  static let modules = ConsoleCommand(
    "modules", summary: ConsoleText("the modules in their order, and the time that each has cost", "按顺序列出模块及各自的耗时")
  ) { _, context in
    let times = context.modules.times
    return ConsoleTable.text(
      zip(context.modules.entries, times).map { entry, time in
        [
          time.module, "\(time.level)/\(time.priority)", time.total.milliseconds, entry.place.map { "\($0)" } ?? "",
        ]
      })
  }

  static let event = ConsoleCommand(
    "event", usage: "NAME [KEY=VALUE…]", least: 1,
    summary: ConsoleText("tell the modules of an event by its name", "按名称向模块触发事件")
  ) { input, context in
    let failures = context.trigger(NamedEvent(input.names[0], values: input.parameters.values))
    if let first = FrameworkError.first(of: failures) { throw first }
    return ""
  }

  static let send = ConsoleCommand(
    "send", usage: "MESSAGE [KEY=VALUE…]", least: 1,
    summary: ConsoleText("send a message by its name, and wait for the answer", "按名称发送消息并等待应答")
  ) { input, context in
    let answer = try await context.messages.send(named: input.names[0], input.parameters.values)
    return "\(Parameters(answer))"
  }

  static let messages = ConsoleCommand(
    "messages", summary: ConsoleText("the messages that are on their way", "正在传递的消息")
  ) { _, context in
    ConsoleTable.text(
      context.messages.messages.map { ["\($0.id)", $0.name, $0.state.rawValue, $0.age.milliseconds, $0.input] })
  }

  static let freeze = ConsoleCommand(
    "freeze", usage: "[PREFIX]", summary: ConsoleText("hold messages before they are handled", "冻结尚未处理的消息")
  ) { input, context in
    context.messages.freeze(input.names.first)
    return ""
  }

  static let release = ConsoleCommand(
    "release", usage: "[PREFIX | ID]", summary: ConsoleText("let held messages go on", "放行被冻结的消息")
  ) { input, context in
    if let id = input.names.first.flatMap(UInt64.init) {
      context.messages.release(message: id)
    } else {
      context.messages.release(input.names.first)
    }
    return ""
  }

  static let trace = ConsoleCommand(
    "trace", summary: ConsoleText("what was done, within what, and how long it took", "做过的事、所属层级与耗时")
  ) { _, context in
    let spans = context.trace.spans
    var depths: [Int: Int] = [:]
    let rows = spans.map { span -> [String] in
      let depth = span.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[span.id] = depth
      let title = String(repeating: "  ", count: min(depth, 20)) + span.subject
      return [title, "\(span.kind)", span.phase, span.duration?.milliseconds ?? "…", span.error ?? ""]
    }
    return ConsoleTable.text(rows)
  }

  static let environment = ConsoleCommand(
    "env", otherNames: ["environment"],
    summary: ConsoleText("the environment and the servers that belong to it", "当前环境及其服务器")
  ) { _, context in
    let values = try context.gatewaySettings()?.values ?? [:]
    return ConsoleTable.text(
      [["environment", context.environment.rawValue]] + values.sorted { $0.key < $1.key }.map { [$0, $1] })
  }
}

extension TimeSpan {
  /// `12.345 ms`.
  fileprivate var milliseconds: String {
    let (seconds, attoseconds) = components
    let microseconds = max(0, min(seconds, 1_000_000_000)) * 1_000_000 + max(0, attoseconds) / 1_000_000_000_000
    let rest = "\(microseconds % 1_000)"
    return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest) ms"
  }
}
