import MPaaSFramework
import Testing

@Suite("The life cycle of micro-apps") @MainActor struct LifecycleOrderTests {
  @Test("a start is told before the one below is paused, and its end of launching after")
  func start() throws {
    try withProbes("home", "a") { context, recorder in
      let home = try context.start("home")
      #expect(recorder.take() == ["home.didCreate", "home.willStart", "home.didFinish"])
      let app = try context.start("a", parameters: ["id": 7])
      #expect(
        recorder.take() == ["a.didCreate", "a.willStart(id=7)", "home.willPause", "a.didFinish"])
      #expect(context.names == ["home", "a"])
      #expect(home?.state == .paused)
      #expect(app?.state == .running)
      #expect(context.current === app)
      #expect(context.find("a") === app)
      #expect(app?.options.source == "home")
    }
  }

  @Test("starting A again from above ends what is above it, from the top, and resumes it with the parameters")
  func restart() throws {
    try withProbes("home", "a", "b", "c") { context, recorder in
      for name in ["home", "a", "b", "c"] { try context.start(name) }
      _ = recorder.take()
      let app = try context.start("a", parameters: ["arg": "something"])
      #expect(
        recorder.take() == [
          "c.willTerminate", "b.willTerminate", "a.willResume(restart arg=something)", "a.didResume",
        ])
      #expect(context.names == ["home", "a"])
      #expect(app?.state == .running)
      #expect(app?.options["arg"] == "something")
    }
  }

  @Test("the current one that is started again is resumed and nothing else")
  func restartCurrent() throws {
    try withProbes("home", "a") { context, recorder in
      try context.start("home")
      try context.start("a")
      _ = recorder.take()
      try context.start("a", parameters: ["n": 2])
      #expect(recorder.take() == ["a.willResume(restart n=2)", "a.didResume"])
    }
  }

  @Test("the launch mode can ask for one more on top")
  func another() throws {
    try withProbes("home", "a") { context, recorder in
      for name in ["home", "a"] { try context.start(name) }
      _ = recorder.take()
      try context.start("a", mode: .another)
      #expect(recorder.take() == ["a.didCreate", "a.willStart", "a.willPause", "a.didFinish"])
      #expect(context.names == ["home", "a", "a"])
      try context.exit()
      #expect(recorder.take() == ["a.willTerminate", "a.willResume(uncovered)", "a.didResume"])
    }
  }

  @Test(
    "the launch mode comes with the options, and says whether those that end are animated",
    arguments: zip(
      [LaunchMode.push, .pushWithoutAnimation, .present, .presentWithoutAnimation],
      [(LaunchMode.Style.push, true), (.push, false), (.present, true), (.present, false)]))
  func modes(_ mode: LaunchMode, _ expected: (style: LaunchMode.Style, animated: Bool)) throws {
    try withProbes("home", "a", "b") { context, recorder in
      try context.start("home")
      try context.start("a", mode: mode)
      #expect(context.current?.options.mode == mode)
      #expect(mode.style == expected.style)
      #expect(mode.isAnimated == expected.animated)
      #expect(!mode.startsAnother)
      try context.start("b")
      try context.start("a", mode: mode)
      #expect(context.names == ["home", "a"])
      #expect(recorder.animated == ["b": expected.animated])
      try context.exit(animated: !expected.animated)
      #expect(recorder.animated["a"] == !expected.animated)
    }
  }

  @Test("a context that has ended is not launched again, and no module is set up")
  func launchAfterEnd() async throws {
    let context = try MobileContext(RuntimeTable(modules: [ModuleEntry(type: Cart.self)]))
    try await context.launch()
    try context.terminate()
    let error = await #expect(throws: FrameworkError.self) { try await context.launch() }
    #expect(error?.code == .contextTerminated)
    #expect(context.modules.stage == .idle)
  }

  @Test("a second launch goes on where the first one failed")
  func launchAgain() async throws {
    let recorder = Recorder()
    recorder.refusals = ["home.start"]
    let home = ApplicationEntry(name: "home", delegate: Probe.self)
    let context = try MobileContext(RuntimeTable(launcher: "home", applications: [home]))
    try await Recorder.$current.withValue(recorder) {
      let error = await #expect(throws: FrameworkError.self) { try await context.launch() }
      #expect(error?.code == .applicationRefusesStart)
      recorder.refusals = []
      for _ in 1...2 { try await context.launch() }
    }
    #expect(context.names == ["home"])
  }

  @Test("an exit of the current one resumes the one below, with what was returned")
  func exit() throws {
    try withProbes("home", "a") { context, recorder in
      for name in ["home", "a"] { try context.start(name) }
      _ = recorder.take()
      try context.exit(returning: ["paid": true])
      #expect(recorder.take() == ["a.willTerminate", "home.willResume(uncovered paid=true)", "home.didResume"])
      #expect(context.names == ["home"])
    }
  }

  @Test("an exit of a covered one leaves those above as they are")
  func exitBelow() throws {
    try withProbes("home", "a", "b") { context, recorder in
      for name in ["home", "a", "b"] { try context.start(name) }
      let app = context.find("a")
      _ = recorder.take()
      try app?.exit()
      #expect(recorder.take() == ["a.willTerminate"])
      #expect(context.names == ["home", "b"])
      #expect(app?.state == .terminated)
      #expect(throws: FrameworkError.self) { try app?.exit() }
    }
  }

  @Test("one that refuses to exit stays, with all that would have ended with it, unless it is forced")
  func refusal() throws {
    try withProbes("home", "a", "b") { context, recorder in
      for name in ["home", "a", "b"] { try context.start(name) }
      recorder.refusals = ["a.exit"]
      _ = recorder.take()
      let error = #expect(throws: FrameworkError.self) { try context.backToLauncher() }
      #expect(error?.code == .applicationRefusesExit)
      #expect(error?.subject == .application("a"))
      #expect(recorder.take() == [])
      #expect(context.names == ["home", "a", "b"])
      try context.find("a")?.forceExit()
      try context.backToLauncher()
      #expect(
        recorder.take() == ["a.willTerminate", "b.willTerminate", "home.willResume(restart)", "home.didResume"])
    }
  }

  @Test("one that refuses to be started was made and is dropped; nothing else notices")
  func refusesStart() throws {
    try withProbes("home", "a") { context, recorder in
      try context.start("home")
      recorder.refusals = ["a.start"]
      _ = recorder.take()
      let error = #expect(throws: FrameworkError.self) { try context.start("a") }
      #expect(error?.code == .applicationRefusesStart)
      #expect(error?.place?.line == 11)
      #expect(recorder.take() == ["a.didCreate"])
      #expect(context.names == ["home"])
    }
  }

  @Test("the launcher does not exit by itself; terminate ends all, from the top, and starts nothing any more")
  func terminate() throws {
    try withProbes("home", "a") { context, recorder in
      for name in ["home", "a"] { try context.start(name) }
      _ = recorder.take()
      #expect(throws: FrameworkError.self) { try context.exit("home", isForced: true) }
      try context.terminate()
      #expect(recorder.take() == ["a.willTerminate", "home.willTerminate"])
      let error = #expect(throws: FrameworkError.self) { try context.start("a") }
      #expect(error?.code == .contextTerminated)
      try context.terminate()
      #expect(recorder.take() == [])
    }
  }

  @Test("a name that nobody has is answered with the nearest one")
  func unknown() throws {
    try withProbes("home", "cart") { context, _ in
      let error = #expect(throws: FrameworkError.self) { try context.start("crat2") }
      #expect(error?.code == .applicationUnknown)
      let near = #expect(throws: FrameworkError.self) { try context.start("cartt") }
      #expect(near?.description.contains("(cart?)") == true)
    }
  }

  @Test("an observer is told each step, until it is let go")
  func observer() throws {
    try withProbes("home", "a") { context, _ in
      var steps: [String] = []
      var observation: LifecycleObservation? = context.observe { steps.append("\($0.application) \($0.step)") }
      try context.start("home")
      #expect(steps == ["home didCreate", "home willStartLaunching", "home didFinishLaunching"])
      #expect(observation != nil)
      observation = nil
      try context.start("a")
      #expect(steps.count == 3)
    }
  }

  @Test("launch makes the services that are not lazy, and then starts the launcher")
  func launch() async throws {
    let context = try MobileContext(
      RuntimeTable(launcher: "home", applications: [ApplicationEntry(name: "home", delegate: Probe.self)]))
    try await context.launch()
    try await context.launch()
    #expect(context.names == ["home"])
  }
}
