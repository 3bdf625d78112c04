import MPaaSFramework
import Testing

@Suite("Errors in the middle of the life cycle") @MainActor struct LifecycleErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let failing: String
    let names: [String]
    let log: [String]
    var testDescription: String { failing }
  }

  nonisolated static let starts = [
    Case(failing: "a.didCreate", names: ["home"], log: ["a.didCreate"]),
    Case(failing: "a.willStart", names: ["home"], log: ["a.didCreate", "a.willStart"]),
    Case(
      failing: "home.willPause", names: ["home"],
      log: ["a.didCreate", "a.willStart", "home.willPause", "a.willTerminate"]),
    Case(
      failing: "a.didFinish", names: ["home"],
      log: [
        "a.didCreate", "a.willStart", "home.willPause", "a.didFinish", "a.willTerminate",
        "home.willResume(uncovered)", "home.didResume",
      ]),
  ]

  @Test("a start that fails is undone, whichever callback threw", arguments: starts)
  func start(_ planned: Case) throws {
    try withProbes("home", "a") { context, recorder in
      try context.start("home")
      _ = recorder.take()
      recorder.fail(planned.failing)
      let error = #expect(throws: FrameworkError.self) { try context.start("a") }
      #expect(error?.code == .applicationStepFailed)
      #expect(error?.underlying as? Recorder.Failure == Recorder.Failure(step: planned.failing))
      #expect(error?.subject.name == planned.failing.split(separator: ".").first.map(String.init))
      #expect(error?.place?.line == (planned.failing.hasPrefix("home") ? 10 : 11))
      #expect(recorder.take() == planned.log)
      #expect(context.names == planned.names)
      #expect(context.current?.state == .running)
      recorder.actions = [:]
      try context.start("a")
      #expect(context.names == ["home", "a"])
    }
  }

  nonisolated static let exits = [
    Case(
      failing: "a.willTerminate", names: ["home"],
      log: ["a.willTerminate", "home.willResume(uncovered)", "home.didResume"]),
    Case(failing: "home.willResume", names: ["home"], log: ["a.willTerminate", "home.willResume(uncovered)"]),
    Case(
      failing: "home.didResume", names: ["home"],
      log: ["a.willTerminate", "home.willResume(uncovered)", "home.didResume"]),
  ]

  @Test("an exit is carried out to its end, whichever callback threw", arguments: exits)
  func exit(_ planned: Case) throws {
    try withProbes("home", "a") { context, recorder in
      for name in ["home", "a"] { try context.start(name) }
      _ = recorder.take()
      recorder.fail(planned.failing)
      let error = #expect(throws: FrameworkError.self) { try context.exit() }
      #expect(error?.underlying as? Recorder.Failure == Recorder.Failure(step: planned.failing))
      #expect(recorder.take() == planned.log)
      #expect(context.names == planned.names)
      #expect(context.current?.state == .running)
    }
  }

  @Test("the first error is thrown and keeps the others, in their order")
  func several() throws {
    try withProbes("home", "a", "b") { context, recorder in
      for name in ["home", "a", "b"] { try context.start(name) }
      for step in ["b.willTerminate", "a.willTerminate", "home.willResume"] { recorder.fail(step) }
      let error = #expect(throws: FrameworkError.self) { try context.backToLauncher() }
      #expect(error?.subject == .application("b"))
      #expect(error?.others.map(\.subject) == [.application("a"), .application("home")])
      #expect(context.names == ["home"])
    }
  }

  @Test("the error names the micro-app, the callback, the line and what was thrown, in both languages")
  func message() throws {
    try withProbes("home", "a") { context, recorder in
      try context.start("home")
      recorder.fail("a.didFinish")
      let error = #expect(throws: FrameworkError.self) { try context.start("a") }
      #expect(
        error?.description.hasPrefix(
          "MobileRuntime.plist:11: The micro-app a failed in applicationDidFinishLaunching(_:): planned.") == true)
      #expect(
        error?.message(in: .simplifiedChinese).hasPrefix(
          "MobileRuntime.plist:11: 微应用 a 在 applicationDidFinishLaunching(_:) 中失败：planned。") == true)
    }
  }
}

@Suite("Callbacks that change the stack") @MainActor struct ReentrancyTests {
  @Test("what a callback asks for comes when the change is done, in the order asked")
  func order() throws {
    try withProbes("home", "a", "b") { context, recorder in
      try context.start("home")
      recorder.on("a.didCreate") { application in
        #expect(try application.start("b") == nil)
        try application.context?.exit("home", isForced: true)
      }
      _ = recorder.take()
      let error = #expect(throws: FrameworkError.self) { try context.start("a") }
      #expect(error?.code == .launcherStays)
      #expect(error?.others.isEmpty == true)
      #expect(
        recorder.take() == [
          "a.didCreate", "a.willStart", "home.willPause", "a.didFinish", "b.didCreate", "b.willStart", "a.willPause",
          "b.didFinish",
        ])
      #expect(context.names == ["home", "a", "b"])
    }
  }

  @Test("a micro-app may exit itself as it is launched")
  func exitsItself() throws {
    try withProbes("home", "a") { context, recorder in
      try context.start("home")
      recorder.on("a.didFinish") { try $0.exit() }
      let app = try context.start("a")
      #expect(app?.state == .terminated)
      #expect(context.names == ["home"])
      #expect(context.current?.state == .running)
    }
  }

  @Test("two that start each other are stopped, and the stack stays whole")
  func loop() throws {
    try withProbes("home", "a") { context, recorder in
      recorder.on("home.didFinish") { try $0.start("a") }
      recorder.on("home.didResume") { try $0.start("a") }
      recorder.on("a.didFinish") { try $0.start("home") }
      let error = #expect(throws: FrameworkError.self) { try context.start("home") }
      #expect(error?.code == .transitionLoop)
      recorder.actions = [:]
      try context.backToLauncher()
      #expect(context.names == ["home"])
    }
  }

  @Test("terminate inside a callback ends all when the change is done; what was asked for after it is dropped")
  func terminates() throws {
    try withProbes("home", "a", "b") { context, recorder in
      try context.start("home")
      recorder.on("a.willStart") { application in
        try application.context?.terminate()
        try application.start("b")
      }
      try context.start("a")
      #expect(context.isTerminated)
      #expect(context.names.isEmpty)
      #expect(!recorder.log.contains("b.didCreate"))
    }
  }
}
