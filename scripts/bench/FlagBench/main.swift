import MPaaSFlags
import MPaaSPattern
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Times evaluations of flags on one thread, the making of snapshots and hostile patterns; prints a table.
///
/// `FlagBench [ROUNDS] [SPECIFICATION]`: so many evaluations of each kind, 1,000,000 where nothing is said, and a file of
/// Unleash's client specification whose cases are evaluated in turn. Times are CPU seconds of the process. Where it is
/// started with `allocations.c` preloaded, allocations are counted, too.
let arguments = Array(CommandLine.arguments.dropFirst())
let rounds = arguments.first.flatMap(Int.init) ?? 1_000_000

func processorSeconds() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #endif
  let (user, system) = (usage.ru_utime, usage.ru_stime)
  return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
}

/// The allocations so far; nil without the counter.
let allocationCounter: (@convention(c) () -> Int)? = dlsym(nil, "mp_allocations").map {
  unsafeBitCast($0, to: (@convention(c) () -> Int).self)
}

func row(_ name: String, _ count: Int, _ work: () -> Int) {
  let (before, start) = (allocationCounter?(), processorSeconds())
  let on = work()
  let seconds = processorSeconds() - start
  var line = "| \(name) | \(Int(Double(count) / seconds)) per CPU second | \(on) of \(count) on"
  if let before, let after = allocationCounter?() { line += " | \(after - before) allocations" }
  print(line + " |")
}

// Rollouts

let rollout = #"""
  {"features": [{"name": "rollout", "enabled": true, "strategies": [{"name": "flexibleRollout", "parameters":
  {"rollout": "50", "stickiness": "userId", "groupId": "rollout"}}]}]}
  """#
let flags = Flags()
try flags.update(json: rollout)
let users = (0..<rounds).map { FlagContext(userId: "user-\($0)") }
row("flexibleRollout, distinct users", rounds) {
  users.reduce(0) { on, user in on + (flags.isEnabled("rollout", for: user) ? 1 : 0) }
}

// The cases of a specification

struct Question {
  let flag: String
  let context: FlagContext
}

func specification(_ path: String) throws -> (state: String, questions: [Question]) {
  let data = try Bytes.mapping(path)
  let document = try withExtendedLifetime(data) { try JSONValue(reading: data.buffer) }.object ?? [:]
  let questions = try (document["tests"]?.array ?? []).map { test in
    try Question(
      flag: test.object?["toggleName"]?.string ?? "",
      context: FlagContext(json: test.object?["context"] ?? .object([:])))
  }
  return (document["state"]?.line ?? "", questions)
}

if arguments.count > 1 {
  let (state, questions) = try specification(arguments[1])
  try flags.update(json: state)
  row("cases of \(FileSystem.name(of: arguments[1]))", rounds) {
    var (on, index) = (0, 0)
    for _ in 0..<rounds {
      on += flags.isEnabled(questions[index].flag, for: questions[index].context) ? 1 : 0
      index = index + 1 == questions.count ? 0 : index + 1
    }
    return on
  }
}

// Snapshots

let many = (0..<10_000).map { number in
  #"{"name": "flag.\#(number)", "type": "release", "enabled": true, "strategies": [{"name": "flexibleRollout", "#
    + #""parameters": {"rollout": "\#(number % 101)", "stickiness": "default", "groupId": "flag.\#(number)"}, "#
    + #""constraints": [{"contextName": "version", "operator": "SEMVER_GT", "value": "1.\#(number % 9).0"}, "#
    + #"{"contextName": "city", "operator": "IN", "values": ["杭州", "上海", "city-\#(number)"]}]}], "#
    + #""variants": [{"name": "a", "weight": 500}, {"name": "b", "weight": 500}]}"#
}
let state = "{\"version\": 2, \"features\": [" + many.joined(separator: ",") + "]}"
var start = processorSeconds()
let definitions = try FlagState(json: state)
let read = processorSeconds()
let snapshot = FlagSnapshot(definitions)
print("| 10,000 flags, \(state.utf8.count) bytes: read | \(Int((read - start) * 1000)) ms |")
print("| 10,000 flags: made | \(Int((processorSeconds() - read) * 1000)) ms | \(snapshot.count) flags |")

// Patterns

let hostile = ["(a+)+$", "(a|a)*b", "(.*a){20}b", "[ab]*a[ab]{900}c", "(ab|ba|a|b){250}c"]
var random = SystemRandomNumberGenerator()
let text = String((0..<65_536).map { _ in Bool.random(using: &random) ? "a" : "b" } as [Character])
for expression in hostile {
  start = processorSeconds()
  let pattern = try Pattern(expression)
  let made = processorSeconds()
  let found = pattern.matches(text)
  let (making, matching) = (Int((made - start) * 1e6), Int((processorSeconds() - made) * 1e6))
  print("| \(expression) on 64 KiB | made in \(making) µs | \(matching) µs | \(found ? "found" : "not found") |")
}
