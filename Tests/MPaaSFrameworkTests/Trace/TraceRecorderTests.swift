import Foundation
import MPaaSFramework
import Testing

/// Takes its time to be made.
final class SlowlyMade: FrameworkModule {
  @TaskLocal static var clock: StoppedClock?
  init() { Self.clock?.jump(by: .milliseconds(7)) }
}

@Suite("The trace") struct TraceRecorderTests {
  let clock = StoppedClock()

  @Test("a span has its begin, its duration and the span that it began in")
  func spans() throws {
    let trace = TraceRecorder(clock: clock)
    clock.jump(by: .milliseconds(5))
    trace.measure(.framework, "launch") {
      clock.jump(by: .milliseconds(1))
      trace.measure(.module, "Cart", phase: "set-up", at: SourcePlace("M.plist", line: 3)) {
        clock.jump(by: .milliseconds(2))
      }
      clock.jump(by: .milliseconds(4))
    }
    let spans = trace.spans
    #expect(spans.map(\.id) == [1, 2])
    #expect(spans.map(\.parent) == [nil, 1])
    #expect(spans.map(\.start) == [.milliseconds(5), .milliseconds(6)])
    #expect(spans.map(\.duration) == [.milliseconds(7), .milliseconds(2)])
    #expect(spans[1].subject == "Cart")
    #expect(spans[1].phase == "set-up")
    #expect(spans[1].place?.line == 3)
    #expect(Set(spans.map(\.thread)) == [1])
  }

  @Test("a span that ends with an error says which, and the error comes through")
  func errors() throws {
    let trace = TraceRecorder(clock: clock)
    #expect(throws: TooBig.self) { try trace.measure(.custom, "work") { throw TooBig() } }
    #expect(trace.spans[0].error == "too big")
  }

  @Test("asynchronous work is a span with what it waits for, and those within it know it")
  func asynchronous() async {
    let trace = TraceRecorder(clock: clock)
    await trace.measure(.custom, "outer") {
      await Task.yield()
      clock.jump(by: .seconds(1))
      await trace.measure(.custom, "inner") { await Task.yield() }
    }
    #expect(trace.spans.map(\.parent) == [nil, 1])
    #expect(trace.spans.first?.duration == .seconds(1))
  }

  @Test("spans beyond the capacity are counted, and the work is done all the same")
  func capacity() {
    let trace = TraceRecorder(clock: clock, capacity: 2)
    let sum = (0..<5).reduce(0) { sum, number in trace.measure(.custom, "work") { sum + number } }
    #expect(sum == 10)
    #expect(trace.spans.count == 2)
    #expect(trace.dropped == 3)
  }

  @Test("recorders do not take each other's spans for their own")
  func two() {
    let (one, other) = (TraceRecorder(clock: clock), TraceRecorder(clock: clock))
    one.measure(.custom, "a") { other.measure(.custom, "b") {} }
    #expect(other.spans[0].parent == nil)
  }

  @Test("the file is JSON of Chrome's format: microseconds, numbers of parents, names of threads, texts escaped")
  func file() throws {
    let trace = TraceRecorder(clock: clock)
    clock.jump(by: .nanoseconds(1_002_003))
    try? trace.measure(.module, "A \"quoted\"\n\u{1}模块", phase: "init", at: SourcePlace("M.plist", line: 3)) {
      clock.jump(by: .nanoseconds(45_006))
      throw TooBig()
    }
    let json = try #require(try JSONSerialization.jsonObject(with: Data(trace.document())) as? [String: Any])
    let events = try #require(json["traceEvents"] as? [[String: Any]])
    #expect(events.filter { $0["ph"] as? String == "M" }.count == 2)
    let event = try #require(events.last)
    let values = try #require(event["args"] as? [String: Any])
    #expect(event["name"] as? String == "A \"quoted\"\n\u{1}模块 init")
    #expect(event["cat"] as? String == "module")
    #expect(event["ts"] as? Double == 1002.003)
    #expect(event["dur"] as? Double == 45.006)
    #expect(values["place"] as? String == "M.plist:3")
    #expect(values["error"] as? String == "too big")
  }

  @Test("a start leaves the steps of its modules, its services and its micro-app, each within its phase")
  @MainActor func start() async throws {
    let trace = TraceRecorder(clock: clock)
    let table = RuntimeTable(
      modules: [ModuleEntry(type: Cart.self, place: SourcePlace("M.plist", line: 3)), ModuleEntry(type: Slow.self)])
    let context = try MobileContext(table, trace: trace)
    let gate = Gate()
    gate.open()
    try await Slow.$gate.withValue(gate) { try await context.launch() }
    await context.modules.settled()
    let spans = trace.spans
    let parents = spans.filter { $0.subject == "Cart" }.map { span in spans.first { $0.id == span.parent }?.subject }
    #expect(parents == ["set-up", "init", "splash"])
    #expect(spans.contains { $0.subject == "Slow" && $0.phase == "async-init" && $0.duration != nil })
    #expect(spans[0].subject == "launch")
    #expect(spans[0].parent == nil)
    context.trigger(.didBecomeActive)
    #expect(trace.spans.last { $0.kind == .event }?.subject == "didBecomeActive")
  }

  @Test("the file that it is for is written whole when it is flushed; a path that cannot be is no end of the app")
  func flushed() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = TraceRecorder(clock: clock, output: path)
    trace.measure(.custom, "work") {}
    #expect(trace.flush())
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(trace.document()))
    #expect(!TraceRecorder(clock: clock, output: "/nowhere/at/all.json").flush())
  }

  @Test("a start that fails leaves its trace, and the making of a module counts as its set-up")
  @MainActor func failedStart() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = TraceRecorder(clock: clock, output: path)
    let table = RuntimeTable(launcher: "nobody", modules: [ModuleEntry(type: SlowlyMade.self)])
    let context = try MobileContext(table, trace: trace)
    let error = await #expect(throws: FrameworkError.self) {
      try await SlowlyMade.$clock.withValue(clock) { try await context.launch() }
    }
    #expect(error?.code == .applicationUnknown)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(context.modules.times.first?.spent[.setUp] == .milliseconds(7))
  }

  @Test("a module that took long in an event gets a span of its own")
  @MainActor func events() throws {
    let trace = TraceRecorder(clock: clock)
    let context = try MobileContext(
      RuntimeTable(modules: [ModuleEntry(type: Cart.self), ModuleEntry(type: Pay.self)]), trace: trace)
    try context.startModules()
    let cart = try context.modules.module(Cart.self)
    try context.modules.observe(CartChanged.self, by: cart) { _ in clock.jump(by: .milliseconds(3)) }
    try context.modules.observe(CartChanged.self, by: try context.modules.module(Pay.self)) { _ in }
    context.trigger(CartChanged(count: 1))
    let event = try #require(trace.spans.last { $0.kind == .event })
    let within = trace.spans.filter { $0.parent == event.id }
    #expect(within.map(\.subject) == ["Cart"])
    #expect(within[0].phase == "CartChanged")
    #expect(context.modules.times.map { $0.spent[.event] } == [.milliseconds(3), .zero])
    #expect(context.modules.times[0].total == .milliseconds(3))
  }
}
