import MPaaSFramework
import MPaaSTestSupport
import Testing

/// A model of the stack and the callbacks, in a few lines: no queue, no objects, no states.
private struct Oracle {
  var stack = ["home"]
  var log: [String] = []
  var failing: Set<String> = []
  var failures = 0

  mutating func call(_ step: String) -> Bool {
    log.append(step)
    guard failing.contains(String(step.prefix { $0 != "(" })) else { return true }
    failures += 1
    return false
  }

  mutating func wake(_ reason: String) {
    guard let top = stack.last else { return }
    if call("\(top).willResume(\(reason))") { _ = call("\(top).didResume") }
  }

  mutating func start(_ name: String) {
    if let index = stack.lastIndex(of: name) {
      while stack.count > index + 1 { _ = call("\(stack.removeLast()).willTerminate") }
      return wake("restart")
    }
    guard call("\(name).didCreate"), call("\(name).willStart") else { return }
    if let top = stack.last, !call("\(top).willPause") {
      _ = call("\(name).willTerminate")
      return
    }
    if call("\(name).didFinish") { return stack.append(name) }
    _ = call("\(name).willTerminate")
    wake("uncovered")
  }

  mutating func exit(_ name: String) {
    guard name != "home", let index = stack.lastIndex(of: name) else {
      failures += 1
      return
    }
    let wasTop = index == stack.count - 1
    _ = call("\(name).willTerminate")
    stack.remove(at: index)
    if wasTop { wake("uncovered") }
  }
}

@Suite("The stack against a model") @MainActor struct LifecycleModelTests {
  static let steps = ["didCreate", "willStart", "didFinish", "willPause", "willResume", "didResume", "willTerminate"]

  @Test("random starts, exits and failures leave the stack and the callbacks that the model has", arguments: 0..<20)
  func random(_ seed: Int) throws {
    try withProbes("home", "a", "b", "c", "d") { context, recorder in
      var random = SeededRandom(seed: UInt64(seed))
      var oracle = Oracle()
      try context.start("home")
      _ = recorder.take()
      let names = ["home", "a", "b", "c", "d"]
      for round in 0..<SeededRandom.rounds(or: 200) {
        plan(&random, names, recorder, &oracle)
        let name = names.randomElement(using: &random) ?? "a"
        var failed = false
        do {
          if Bool.random(using: &random) || Bool.random(using: &random) {
            oracle.start(name)
            try context.start(name)
          } else {
            oracle.exit(name)
            try context.exit(name)
          }
        } catch {
          failed = true
          #expect(((error as? FrameworkError)?.others.count ?? -1) + 1 == oracle.failures)
        }
        #expect(failed == (oracle.failures > 0), "round \(round)")
        try #require(recorder.take() == oracle.log, "round \(round)")
        try #require(context.names == oracle.stack, "round \(round)")
        #expect(context.stack.dropLast().allSatisfy { $0.state == .paused })
        #expect(context.current?.state == .running)
      }
    }
  }

  /// Lets a few callbacks fail in this round.
  private func plan(_ random: inout SeededRandom, _ names: [String], _ recorder: Recorder, _ oracle: inout Oracle) {
    recorder.actions = [:]
    (oracle.failing, oracle.failures, oracle.log) = ([], 0, [])
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    for _ in 0..<4 {
      let step = "\(names.randomElement(using: &random) ?? "a").\(Self.steps.randomElement(using: &random) ?? "")"
      recorder.fail(step)
      oracle.failing.insert(step)
    }
  }

  @Test("changes asked for inside callbacks end as if they had been asked for one after another", arguments: 0..<20)
  func nested(_ seed: Int) throws {
    try withProbes("home", "a", "b", "c") { context, recorder in
      var random = SeededRandom(seed: UInt64(seed))
      var oracle = Oracle()
      try context.start("home")
      _ = recorder.take()
      let names = ["home", "a", "b", "c"]
      for _ in 0..<100 {
        oracle.log = []
        let asked = (0..<3).map { _ in names.randomElement(using: &random) ?? "a" }
        let inside = "\(asked[0]).\(oracle.stack.contains(asked[0]) ? "willResume" : "willStart")"
        recorder.on(inside) { application in
          recorder.actions = [:]
          for name in asked.dropFirst() { try application.start(name) }
        }
        for name in asked { oracle.start(name) }
        try context.start(asked[0])
        try #require(recorder.take() == oracle.log && context.names == oracle.stack)
      }
    }
  }
}
