import MPaaSFramework
import MPaaSTestSupport
import Testing

@Suite("The console") @MainActor struct ConsoleTests {
  /// Runs lines against a context of the micro-apps home, cart and pay; gives what was written.
  private func run(
    _ lines: [String], language: TextLanguage = .english, prompts: Bool = false,
    prepare: @MainActor (MobileContext) throws -> Void = { _ in }
  ) async throws -> (status: Int32, text: String, log: [String], context: MobileContext) {
    let recorder = Recorder()
    let entries = ["home", "cart", "pay"].enumerated().map { index, name in
      ApplicationEntry(name: name, title: name.uppercased(), delegate: Probe.self, place: place(index + 1))
    }
    let context = try MobileContext(
      RuntimeTable(
        launcher: "home", applications: entries,
        services: [ServiceEntry(name: "greeter", type: Greeter.self, interface: (any Greeting).self, place: place(9))]))
    try prepare(context)
    let stream = AsyncStream { continuation in
      for line in lines { continuation.yield(line) }
      continuation.finish()
    }
    var text = ""
    let status = try await Recorder.$current.withValue(recorder) {
      try await context.launch()
      return await FrameworkConsole(context, language: language).run(lines: stream, prompts: prompts) { text += $0 }
    }
    return (status, text, recorder.log, context)
  }

  @Test("starts, shows and ends micro-apps, and ends the launcher at the end of input")
  func session() async throws {
    let result = try await run(["start cart id=42 'note=two words'", "stack", "start pay", "exit", "home", "# done"])
    #expect(result.status == 0)
    #expect(
      result.text == """
        home › cart
        cart  running  id=42 note=two words
        home  paused
        home › cart › pay
        home › cart
        home

        """)
    #expect(result.log.last == "home.willTerminate")
    #expect(result.context.isTerminated)
    #expect(result.log.contains("cart.willStart(id=42 note=two words)"))
  }

  @Test("an unknown command gets the nearest one, and the program's status says that something failed")
  func unknown() async throws {
    let result = try await run(["stark cart", "frobnicate", "start", "start crat", "open", "'open"])
    #expect(result.status == 1)
    #expect(
      result.text == """
        There is no command stark. Did you mean start?
        There is no command frobnicate; help lists them.
        Usage: start APP [KEY=VALUE…]
        application-unknown: No micro-app is called crat. Register it under Applications in MobileRuntime.plist, or \
        declare its type as RegisteredApplication.
        Usage: open URL
        A quotation mark is not closed.

        """)
  }

  @Test("speaks Chinese")
  func chinese() async throws {
    let result = try await run(["stark", "stack"], language: .simplifiedChinese)
    #expect(result.text == "没有命令 stark。是否想输入 start？\nhome  运行中\n")
  }

  @Test("prompts where it is told to, and then no failure is a status")
  func prompt() async throws {
    let result = try await run(["nonsense", "start cart", "quit", "stack"], prompts: true)
    #expect(result.status == 0)
    #expect(result.text == "home> There is no command nonsense; help lists them.\nhome> home › cart\ncart> ")
    #expect(result.context.isTerminated)
  }

  @Test("lists micro-apps, services, routes and methods with their lines")
  func lists() async throws {
    let result = try await run(["apps", "services", "routes", "methods", "call text.upper abc def"]) { context in
      try context.methods.export("text.upper", file: "Text.swift", line: 5) { (text: String) in text.uppercased() }
      _ = try context.service(named: "greeter")
    }
    #expect(
      result.text == """
        home  HOME  Probe  MobileRuntime.plist:1
        cart  CART  Probe  MobileRuntime.plist:2
        pay   PAY   Probe  MobileRuntime.plist:3
        greeter  Greeting  made  MobileRuntime.plist:9
        StartApplicationHandler
        text.upper  String → String  Text.swift:5
        ABC DEF

        """)
  }

  @Test("opens URLs and says who opened them")
  func open() async throws {
    let result = try await run(["open demo://platformapi/startapp?appId=cart", "open demo://nobody"])
    #expect(result.text.hasPrefix("StartApplicationHandler\nhome › cart\nroute-unhandled: None of 1 handlers"))
  }

  @Test("help lists every command, or one")
  func help() async throws {
    let result = try await run(["help", "help start"])
    for name in ["start APP", "exit [APP]", "stack", "apps", "services", "open URL", "help [COMMAND]", "quit"] {
      #expect(result.text.contains("\(name)"), "\(name)")
    }
    #expect(result.text.hasSuffix("start APP [KEY=VALUE…]  start a micro-app, or go back to it\n"))
  }

  struct Echo: MessageController {
    let prefix = "echo"
    func register(_ handlers: inout MessageHandlers) { handlers.on("echo.values") { values, _ in values } }
  }

  @Test("sends messages, tells modules of events, and shows what took how long")
  func modules() async throws {
    let result = try await run(["send echo.values a=1 b=two", "send echo.other", "modules", "env", "trace"]) {
      try $0.messages.attach(Echo())
    }
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "a=1 b=two")
    #expect(lines.dropFirst().first?.hasPrefix("message-unhandled: ") == true)
    #expect(lines.contains("environment  release"))
    #expect(lines.contains { $0.hasPrefix("launch") })
    #expect(lines.contains { $0.hasPrefix("  home") })
  }

  @Test("apps add commands of their own")
  func added() async throws {
    let context = try MobileContext()
    let console = FrameworkConsole(context, language: .english)
    console.add(
      ConsoleCommand("echo", usage: "TEXT…", least: 1, summary: ConsoleText("say it", "说")) { input, _ in
        input.words.joined(separator: "|")
      })
    #expect(await console.execute("echo a \"b c\" d\\ e").text == "a|b c|d e")
    #expect(await console.execute("echo").isError)
  }

  @Test("takes any line without falling over")
  func fuzz() async throws {
    var random = SeededRandom(seed: 6)
    let context = try MobileContext()
    let console = FrameworkConsole(context, language: .english)
    let words = [
      "start", "exit", "stack", "a=b", "=", "'", "\"", "\\", "中文", "open", "x://%", "help", "call", "#", "?",
    ]
    for _ in 0..<SeededRandom.rounds(or: 500) {
      let line = (0..<Int.random(in: 0..<5, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      _ = await console.execute(line.joined(separator: Bool.random(using: &random) ? " " : ""))
    }
    #expect(context.stack.isEmpty)
  }
}
