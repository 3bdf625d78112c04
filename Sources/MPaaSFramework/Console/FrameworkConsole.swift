/// Takes lines of text against a context: the headless face of an app.
///
/// ```swift
/// let context = try MobileContext(.mobileRuntime)
/// try await context.launch()
/// exit(await FrameworkConsole(context).run())
/// ```
@MainActor public final class FrameworkConsole {
  /// The answer to a line.
  public struct Reply: Sendable, Hashable {
    /// The text of the answer, empty where there is nothing to say.
    public let text: String
    /// True where the line could not be carried out, and `text` says why.
    public let isError: Bool
    /// Tells whether the console is to end.
    public let ends: Bool
  }

  /// The context whose micro-apps, services and messages the console works on.
  public let context: MobileContext
  /// The language of the console's answers.
  public let language: TextLanguage
  private(set) var commands: [ConsoleCommand] = ConsoleCommand.builtIn

  /// Makes a console.
  ///
  /// - Parameters:
  ///   - context: The context that the console works on.
  ///   - language: That of `MPAAS_LANG`, `LC_ALL`, `LC_MESSAGES` or `LANG` where it is nil.
  public init(_ context: MobileContext, language: TextLanguage? = nil) {
    self.context = context
    self.language = language ?? .ofEnvironment
  }

  /// Adds a command; one of the same name is replaced.
  public func add(_ command: ConsoleCommand) {
    commands.removeAll { $0.name == command.name }
    commands.append(command)
  }

  /// Carries out one line; an empty one, and one that begins with `#`, does nothing.
  public func execute(_ line: String) async -> Reply {
    let words: [String]
    do { words = try ConsoleLine.words(line) } catch {
      return failure(ConsoleText("A quotation mark is not closed.", "引号没有闭合。").text(in: language))
    }
    guard let name = words.first, !name.hasPrefix("#") else { return Reply(text: "", isError: false, ends: false) }
    switch name {
    case "quit", "q": return Reply(text: "", isError: false, ends: true)
    case "help", "?": return Reply(text: help(words.dropFirst().first), isError: false, ends: false)
    default: break
    }
    guard let command = command(name) else { return failure(unknown(name)) }
    let input = ConsoleInput(words: Array(words.dropFirst()), language: language)
    guard input.names.count >= command.least else { return failure(usage(command)) }
    do {
      return Reply(text: try await command.body(input, context), isError: false, ends: false)
    } catch let error as FrameworkError {
      return failure("\(error.code.id): \(error.message(in: language))")
    } catch is ConsoleUsage {
      return failure(usage(command))
    } catch {
      return failure("\(error)")
    }
  }

  private func failure(_ text: String) -> Reply { Reply(text: text, isError: true, ends: false) }

  private func command(_ name: String) -> ConsoleCommand? {
    commands.first { $0.name == name || $0.otherNames.contains(name) }
  }

  private func usage(_ command: ConsoleCommand) -> String {
    ConsoleText("Usage: \(command.line)", "用法：\(command.line)").text(in: language)
  }

  private func unknown(_ name: String) -> String {
    let near = nearest(to: name, among: commands.flatMap { [$0.name] + $0.otherNames } + ["help", "quit"])
    let text =
      near.map { ConsoleText("There is no command \(name). Did you mean \($0)?", "没有命令 \(name)。是否想输入 \($0)？") }
      ?? ConsoleText("There is no command \(name); help lists them.", "没有命令 \(name)；help 会列出全部命令。")
    return text.text(in: language)
  }

  private func help(_ name: String?) -> String {
    let own = [
      ("help [COMMAND]", ConsoleText("what can be typed here", "列出可用命令")),
      ("quit", ConsoleText("end everything, the launcher last; so does the end of input", "结束全部微应用，最后结束启动器；输入结束时亦然")),
    ]
    let all = commands.map { ($0.line, $0.summary) } + own
    let found = name.map { name in all.filter { $0.0.split(separator: " ").first == Substring(name) } } ?? all
    if found.isEmpty, let name { return unknown(name) }
    return ConsoleTable.text(found.map { [$0.0, $0.1.text(in: language)] })
  }
}
