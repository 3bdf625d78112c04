import Foundation
import MPaaSTestSupport
import Testing

@Suite("A repository whose editor is killed") struct RegistryKillTests {
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 24

  @Test("is valid after kill -9 at any moment of add, sign, rotate and refresh, and the next command goes on")
  func kill() throws {
    let sample = try RegistryHome(keys: "anna", "ben", "web")
    #expect(try sample.initialize("--key", "anna", "--key", "ben", "--online-key", "web").status == 0)
    var random = SeededRandom(seed: 11)
    var killed = 0
    var longest = 0.05
    for round in 0..<Self.rounds {
      let file = try sample.file("p\(round % 5).mpatch", "content \(round)")
      let all = ["--key", "anna", "--key", "ben"]
      let arguments =
        switch round % 5 {
        case 0, 1: ["add", file] + all
        case 2: ["add", file, "--key", "anna"]
        case 3: ["sign", "--renew", "root"] + all
        default: ["refresh", "--all"]
        }
      let start = Date()
      let program = try RunningProgram(
        Command.mpaas.path,
        ["registry"] + arguments + ["--repository", sample.repository],
        environment: ["MPAAS_HOME": sample.home.path, "LC_ALL": "C"], waitsForLine: false)
      // Every fifth runs to its end, to know how long that takes on this machine now.
      if round % 5 != 4 { usleep(UInt32(Double.random(in: 0...longest, using: &random) * 1e6)) }
      if round % 5 == 4 {
        program.process.waitUntilExit()
        longest = min(2, Date().timeIntervalSince(start) * 1.2)
      } else if program.end(SIGKILL) == SIGKILL {
        killed += 1
      }
      let check = try sample.run("check", "--json")
      #expect(try json(check.output)["valid"] as? Bool == true, "round \(round): \(check.output)")
    }
    #expect(killed > Self.rounds / 4)
    #expect(try sample.run("sign", "--key", "anna", "--key", "ben").status == 0)
    let status = try json(sample.run("status", "--json").output)
    #expect((status["staged"] as? [String: Any])?["pending"] as? [String] == [])
    #expect(try sample.run("check").status == 0)
  }

  @Test("can be begun again or goes on when its making was killed")
  func killedAtBirth() throws {
    var random = SeededRandom(seed: 12)
    let sample = try RegistryHome(keys: "anna", "web")
    for _ in 0..<max(4, Self.rounds / 6) {
      let program = try RunningProgram(
        Command.mpaas.path,
        ["registry", "init", sample.repository, "--key", "anna", "--online-key", "web"],
        environment: ["MPAAS_HOME": sample.home.path, "LC_ALL": "C"], waitsForLine: false)
      usleep(UInt32.random(in: 0...60_000, using: &random))
      _ = program.end(SIGKILL)
      let again = try sample.initialize("--key", "anna", "--online-key", "web")
      if again.status != 0 {
        #expect(again.status == 73)
        #expect(try sample.run("sign", "--key", "anna").status == 0)
      }
      #expect(try sample.run("check").status == 0)
      try FileManager.default.removeItem(atPath: sample.repository)
    }
  }
}
