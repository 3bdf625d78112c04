import MPaaSFramework

/// Times the start of 1,000 empty modules, events that reach them, and round trips of messages; prints a table.
///
/// `FrameworkBench [ROUNDS]`: so many round trips of each kind, 20,000 where nothing is said. Times are those of a clock
/// read before and after each; the middle one and the one that 99 of 100 stay below.
let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 20_000
let clock = SuspendingClock()

struct Row {
  let name: String
  let limit: String
  let times: [Duration]

  init(_ name: String, limit: String = "", _ times: [Duration]) {
    self.name = name
    self.limit = limit
    self.times = times.sorted()
  }

  var text: String {
    let (middle, late) = (times[times.count / 2], times[times.count * 99 / 100])
    return "| \(name) | \(limit) | \(printed(middle)) | \(printed(late)) |"
  }

  private func printed(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let (value, unit) = nanoseconds < 1_000_000 ? (nanoseconds, "µs") : (nanoseconds / 1000, "ms")
    return "\(value / 1000).\(value / 100 % 10)\(value / 10 % 10) \(unit)"
  }
}

func times(_ count: Int, _ work: () throws -> Void) rethrows -> [Duration] {
  try (0..<count).map { _ in try clock.measure(work) }
}

nonisolated(nonsending) func times(_ count: Int, _ work: () async throws -> Void) async rethrows -> [Duration] {
  var times: [Duration] = []
  for _ in 0..<count {
    let start = clock.now
    try await work()
    times.append(start.duration(to: clock.now))
  }
  return times
}

// Modules

let entries = moduleTypes(1000).map { ModuleEntry(type: $0, place: SourcePlace("MobileRuntime.plist", line: 1)) }

@MainActor func start() async throws -> MobileContext {
  let context = try MobileContext(RuntimeTable(modules: entries), environment: .release)
  try await context.launch()
  return context
}

let cold = try await times(1) { _ = try await start() }
let warm = try await times(100) { _ = try await start() }
let started = try await start()
let event = times(200) { started.trigger(.didBecomeActive) }
precondition(started.modules.entries.count == 1000 && started.modules.failures.isEmpty)

// Services

let services = serviceTypes(1001).enumerated().map {
  ServiceEntry(name: "service\($0)", type: $1, place: SourcePlace("MobileRuntime.plist", line: $0))
}
let contexts = try await times(100) {
  let context = try MobileContext(RuntimeTable(services: services), environment: .release)
  try await context.launch()
}
let context = try MobileContext(RuntimeTable(services: services), environment: .release)
_ = try context.service(named: "service7")
let found = try times(rounds) { _ = try context.service(named: "service7") }

// Messages

@concurrent func messages(_ rounds: Int) async throws -> [Row] {
  let queue = MessageQueue()
  try queue.attach(Numbers(prefix: "number", delivery: .inOrder))
  try queue.attach(Numbers(prefix: "many", delivery: .concurrent(64)))
  var number = 0
  let typed = try await times(rounds) { number = try await queue.send(Increment.self, number) }
  precondition(number == rounds)
  let concurrent = try await times(rounds) { number = try await queue.send(IncrementConcurrently.self, number) }
  let timed = try await times(rounds) { number = try await queue.send(Increment.self, number, timeout: .seconds(60)) }
  let named = try await times(rounds) { _ = try await queue.send(named: "number.values", ["number": 1]) }
  let suspending = try await times(rounds) { _ = try await queue.send(named: "number.yield") }
  let posted = try await times(rounds) { number = try await queue.post(Increment.self, number).output }
  precondition(number == 4 * rounds)
  return [
    Row("message round trip, in order", limit: "5 µs", typed), Row("… to a concurrent controller", concurrent),
    Row("… with a time-out", timed), Row("… by name, with values by key", named),
    Row("… to a handler that suspends once", suspending), Row("… posted, then its output awaited", posted),
  ]
}

@MainActor func messagesFromMain(_ rounds: Int) async throws -> Row {
  let queue = MessageQueue()
  try queue.attach(Numbers(prefix: "number", delivery: .inOrder))
  var number = 0
  return Row("… from the main actor", try await times(rounds) { number = try await queue.send(Increment.self, number) })
}

@concurrent func flood(_ count: Int) async throws -> Row {
  let queue = MessageQueue()
  try queue.attach(Numbers(prefix: "number", delivery: .inOrder))
  let times = try await times(20) {
    let handles = try (0..<count).map { try queue.post(Increment.self, $0) }
    var sum = 0
    for handle in handles { sum += try await handle.output }
    precondition(sum == count * (count + 1) / 2)
  }
  return Row("10,000 messages posted at once and answered, each", times.map { $0 / count })
}

var rows = [
  Row("start of 1,000 empty modules, first in the process", limit: "20 ms", cold),
  Row("… again, 100 times", limit: "20 ms", warm), Row("an event to 1,000 modules", event),
  Row("start of a context with 1,001 lazy services", contexts), Row("a service found by its name", found),
]
rows += try await messages(rounds)
rows.append(try await messagesFromMain(rounds))
rows.append(try await flood(10_000))
print("| what | limit | median | 99 % |\n| --- | ---: | ---: | ---: |")
for row in rows { print(row.text) }
