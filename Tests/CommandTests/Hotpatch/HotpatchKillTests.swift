import Foundation
import MPaaSTestSupport
import Testing

/// The built command is killed while it publishes and signs, and the sample app while it fetches and installs.
@Suite("Publishing that is killed") struct HotpatchKillTests {
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 6

  private let sample: RegistryHome
  private var folder: String { sample.home.path }
  private var environment: [String: String] {
    ["MPAAS_HOME": folder, "MPAAS_LANG": "en", "SWIFT_BACKTRACE": "enable=no"]
  }

  init() throws {
    sample = try RegistryHome(keys: "anna", "ben", "web", "patches")
    try succeeds("key", "generate", "--unencrypted", "--name", "app", "--type", "age")
    try succeeds("key", "export", "--name", "patches", "--output", "\(folder)/patches.pem")
    try succeeds("key", "export", "--name", "app", "--private", "--unencrypted", "--output", "\(folder)/app.age")
  }

  private func run(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run("mpaas", arguments, environment: environment)
  }

  private var orderbook: URL { Command.products.appending(path: "orderbook") }

  private func succeeds(_ arguments: String...) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
  }

  /// Kills a program after a part of `seconds`; returns whether it was still running.
  private func killed(
    _ program: URL, _ arguments: [String], within seconds: Double, _ random: inout SeededRandom
  ) throws -> Bool {
    let running = try RunningProgram(
      program.path, arguments, environment: environment, waitsForLine: false)
    usleep(UInt32(Double.random(in: 0...seconds, using: &random) * 1e6))
    return running.end(SIGKILL) == SIGKILL && running.process.terminationReason == .uncaughtSignal
  }

  private func build(_ version: Int) throws -> String {
    let source = try sample.file(
      "main.lua",
      """
      patch("Book.accepted", function(quantity, participant)
        if quantity >= 10000 then return \(version) end
        return ORIG(quantity, participant)
      end)
      """)
    let bundle = "\(folder)/\(version).mpatch"
    try succeeds(
      "hotpatch", "build", source, "--app", "com.example.orderbook", "--name", "block-orders", "--patch-version",
      "\(version)", "--key", "patches", "--recipient", "app", "--output", bundle)
    return bundle
  }

  private func check(_ round: Int) throws {
    let check = try sample.run("check", "--json")
    #expect(try json(check.output)["valid"] as? Bool == true, "round \(round): \(check.output)")
  }

  /// A publication that is said again changes only what is asked to be otherwise.
  private func sayAgain(_ publish: [String]) throws {
    func history() throws -> [String?] {
      let outcome = try run(["hotpatch", "history", "--repository", sample.repository, "--json"])
      return try (json(outcome.output)["changes"] as? [[String: Any]] ?? []).map { $0["change"] as? String }
    }
    #expect(try run(publish).status == 0)
    #expect(try history() == ["published"])
    let half = publish.map { $0 == "100" ? "50" : $0 }
    #expect(try run(half).status == 0)
    #expect(try run(publish).status == 0)
    #expect(try history() == ["published", "percentage", "percentage"])
  }

  @Test("leaves a valid repository at any moment, goes on when it is said again, and apps run what was good or is new")
  func publish() throws {
    let people = ["--key", "anna", "--key", "ben"]
    #expect(
      try sample.initialize("--key", "anna", "--key", "ben", "--online-key", "web", "--threshold", "2").status == 0)
    let app = [
      "--hotpatches", sample.repository, "--state", "\(folder)/state", "--root",
      "\(sample.repository)/metadata/1.root.json", "--trust", "\(folder)/patches.pem", "--identity",
      "\(folder)/app.age", "--orders", "1",
    ]
    var random = SeededRandom(seed: 17)
    var kills = (publish: 0, sign: 0, app: 0)
    // The seconds that a whole run takes on this machine now.
    var longest = (publish: 0.5, sign: 0.3, app: 0.1)
    for round in 1...Self.rounds {
      let bundle = try build(round)
      func publish(_ keys: [String]) -> [String] {
        ["hotpatch", "publish", bundle, "--repository", sample.repository, "--percent", "100", "--trust"]
          + ["\(folder)/patches.pem"] + keys
      }
      if round % 2 == 0 {
        // Anna begins, Ben is killed while he signs.
        #expect(try run(publish(["--key", "anna"])).status == 75)
        let sign = ["registry", "sign", "--repository", sample.repository, "--key", "ben"]
        if try killed(Command.mpaas, sign, within: longest.sign, &random) { kills.sign += 1 }
        try check(round)
        let start = Date()
        let again = try run(sign)
        longest.sign = min(2, max(0.05, Date().timeIntervalSince(start) * 1.2))
        #expect(again.status == 0, "round \(round): \(again.errors)")
      }
      if try killed(Command.mpaas, publish(people), within: longest.publish, &random) { kills.publish += 1 }
      try check(round)
      let start = Date()
      let again = try run(publish(people))
      if round % 4 == 1 { longest.publish = min(2, max(0.1, Date().timeIntervalSince(start) * 1.2)) }
      #expect(again.status == 0, "round \(round): \(again.errors)")
      try check(round)
      if round == 1 { try sayAgain(publish(people)) }

      if try killed(orderbook, app, within: longest.app, &random) { kills.app += 1 }
      let started = Date()
      let next = try Command.run("orderbook", app, environment: environment)
      longest.app = min(2, max(0.02, Date().timeIntervalSince(started) * 1.2))
      #expect(next.status == 0, "round \(round): \(next.errors)")
      // The patch that runs first is the one that was good; the last one is the one that was just published.
      let runs = next.output.matches(of: /patch block-orders (\d+) runs/).compactMap { Int($0.output.1) }
      #expect(runs.last == round, "round \(round): \(next.output)")
      #expect(runs.allSatisfy { $0 >= round - 1 }, "round \(round): \(next.output)")
      #expect(!next.output.contains("refused"), "round \(round): \(next.output)")
      #expect(!next.output.contains("not updated"), "round \(round): \(next.output)")
      try FileManager.default.removeItem(atPath: bundle)
    }
    if Self.rounds > 50 { print("killed: \(kills)") }
    #expect(kills.publish + kills.sign + kills.app > Self.rounds / 2)
  }
}
