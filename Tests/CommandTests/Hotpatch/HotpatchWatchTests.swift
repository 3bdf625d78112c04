import Foundation
import MPaaSTestSupport
import Testing

/// The built command over a repository and a server: what devices tell stops a patch.
@Suite("mpaas hotpatch watch") struct HotpatchWatchTests {
  private let sample: RegistryHome
  private let served: ServedLogs
  private static let app = "com.example.orderbook"

  init() throws {
    sample = try RegistryHome(keys: "web")
    served = try ServedLogs()
    #expect(try sample.initialize("--key", "web", "--online-key", "web").status == 0)
    #expect(try run("key", "export", "--name", "web", "--output", "\(sample.home.path)/web.pem").status == 0)
    #expect(try run("key", "generate", "--unencrypted", "--name", "app", "--type", "age").status == 0)
    let source = try sample.file(
      "main.lua", "patch(\"Book.accepted\", function(quantity, participant) return ORIG(quantity, participant) end)\n")
    let bundle = "\(sample.home.path)/1.mpatch"
    let built = try run(
      "hotpatch", "build", source, "--app", Self.app, "--name", "orders", "--patch-version", "1", "--key", "web",
      "--recipient", "app", "--output", bundle)
    #expect(built.status == 0, "\(built.errors)")
    let published = try run(
      "hotpatch", "publish", bundle, "--repository", sample.repository, "--percent", "100", "--trust",
      "\(sample.home.path)/web.pem", "--key", "web")
    #expect(published.status == 0, "\(published.errors)")
  }

  private func run(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments,
      environment: ["MPAAS_HOME": sample.home.path, "MPAAS_LANG": "en"].merging(served.environment) { $1 })
  }

  private func watch(_ more: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["hotpatch", "watch", "--repository", sample.repository, "--key", "web", "--once"] + more,
      environment: ["MPAAS_HOME": sample.home.path, "MPAAS_LANG": "en"].merging(served.environment) { $1 })
  }

  private func send(_ method: String, _ path: String, _ body: String, as token: String) throws -> RawAnswer {
    let port = try #require(served.url.split(separator: ":").last.flatMap { UInt16($0) })
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: x", "Connection: close", "Authorization: Bearer \(token)",
      "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
    ].joined(separator: "\r\n")
    return try RawAnswer.exchange(port, Array("\(head)\r\n\r\n\(body)".utf8))
  }

  /// Tells of so many devices, the first of which crashed.
  private func devices(_ count: Int, crashed: Int, patches: String) throws {
    let started = Date().ISO8601Format()
    let items = (0..<count).map { number in
      let session = """
        {"sid":"\(UUID().uuidString)","did":"\(patches.count)-\(number)","status":"\(number < crashed ? "crashed" : "exited")",\
        "started":"\(started)","attrs":{"release":"\(Self.app)@1.2","patches":\(patches)}}
        """
      return "{\"type\":\"session\",\"length\":\(session.utf8.count)}\n\(session)\n"
    }
    let key = try #require(served.ready["app_key"] as? String)
    let answer = try send("POST", "/api/1/envelope/?sentry_key=\(key)", "{}\n" + items.joined(), as: key)
    #expect(answer.status == 200, "\(answer.body)")
  }

  private func state() throws -> String? {
    let outcome = try run("hotpatch", "status", "--repository", sample.repository, "--json")
    return (try json(outcome.output)["rollouts"] as? [[String: Any]])?.first?["state"] as? String
  }

  @Test("a patch goes on while its devices crash as others do, and is stopped where they crash more often")
  func halt() throws {
    try devices(400, crashed: 2, patches: "[]")
    try devices(60, crashed: 0, patches: #"["orders@1"]"#)
    let quiet = try watch()
    #expect(quiet.status == 0 && quiet.output.isEmpty, "\(quiet)")
    #expect(try state() == "running")
    try devices(80, crashed: 12, patches: #"["orders@1"]"#)
    let stopped = try watch("--json")
    #expect(stopped.status == 0, "\(stopped.errors)")
    let line = try json(stopped.output)
    #expect(line["event"] as? String == "halted" && line["devices"] as? Int == 80 && line["crashed"] as? Int == 12)
    #expect(try state() == "halted")
    let again = try watch()
    #expect(again.output.isEmpty)
    let page = try served.get("/api/v1/patches")
    let rollouts = (page["patches"] as? [[String: Any]])?.first?["rollouts"] as? [[String: Any]]
    #expect(rollouts?.first?["state"] as? String == "halted")
  }

  @Test("a change that is asked for on the console is made with --requests alone")
  func requests() throws {
    try devices(5, crashed: 0, patches: #"["orders@1"]"#)
    #expect(try watch().status == 0)
    let wish = #"{"identity":"\#(Self.app)","patch":"orders","version":"1","channel":"release","action":"pause"}"#
    #expect(try send("POST", "/api/v1/rollout-requests", wish, as: served.token).status == 201)
    #expect(try watch().output.isEmpty)
    #expect(try state() == "running")
    let made = try watch("--requests")
    #expect(made.output.contains("orders 1 (release): paused, as "), "\(made)")
    #expect(try state() == "paused")
    #expect(try watch("--requests").output.isEmpty)
  }

  @Test("goes on until it is told to end, past a console that is away")
  func loop() throws {
    try devices(400, crashed: 2, patches: "[]")
    let program = try RunningProgram(
      Command.mpaas.path,
      ["hotpatch", "watch", "--repository", sample.repository, "--key", "web", "--every", "100ms", "--json"],
      environment: ["MPAAS_HOME": sample.home.path, "MPAAS_LANG": "en"].merging(served.environment) { $1 },
      waitsForLine: false)
    try served.killAndRestart()
    try devices(80, crashed: 12, patches: #"["orders@1"]"#)
    for _ in 0..<600 where try state() != "halted" { usleep(100_000) }
    #expect(try state() == "halted")
    #expect(program.end(SIGTERM) == 0)
  }

  @Test("an interval that is none, and a server that is not named, are wrong usage")
  func usage() throws {
    let every = try watch("--every", "soon")
    #expect(every.status == 64 && every.errors.contains("soon"), "\(every)")
    let unnamed = try Command.run(
      "mpaas", ["hotpatch", "watch", "--repository", sample.repository, "--once"],
      environment: ["MPAAS_HOME": sample.home.path, "MPAAS_LANG": "en", "MPAAS_SERVER_URL": ""])
    #expect(unnamed.status == 64 && unnamed.errors.contains("No server is named"), "\(unnamed)")
  }
}
