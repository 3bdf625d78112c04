import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas net top", .tool("setsid")) struct NetTopTests {
  let server: NetServer

  init() throws {
    server = try NetServer()
    try server.create("alpha")
    try server.create("beta")
  }

  private func session(columns: Int = 120, rows: Int = 30) throws -> PtySession {
    try PtySession(
      "mpaas net top --api \(server.address) --interval 200ms; echo status $?", columns: columns, rows: rows,
      environment: ["MPAAS_HOME": server.home.path])
  }

  @Test("shows the proxies, follows the keys, presses the buttons and gives the terminal back")
  func keys() throws {
    let session = try session()
    let screen = try session.waitFor("> alpha")
    #expect(screen.isAlternate)
    #expect(!screen.modes.contains(25))
    #expect(screen.text.contains("  beta"))
    session.type("\u{1b}[B")
    try session.waitFor("> beta")
    session.type("k")
    try session.waitFor("> alpha")
    session.type("f")
    try session.waitFor("[flight-mode]")
    #expect(try server.toxics("beta").contains { $0["type"] as? String == "flight_mode" })
    session.type("f")
    try session.waitFor("the button up") { !$0.text.contains("[flight-mode]") }
    session.type("l")
    try session.waitFor("a second later")
    session.type(" ")
    try session.waitFor("alpha down") { $0.lines.contains { $0.contains("> alpha") && $0.contains("down") } }
    #expect(try server.proxies()["alpha"]?["enabled"] as? Bool == false)
    #expect(
      try server.ask("POST", "/proxies/beta/toxics", #"{"type":"latency","attributes":{"latency":123}}"#).status == 200)
    try session.waitFor("latency_downstream")
    session.type("q")
    try session.waitFor("status 0")
    #expect(try session.end() == 0)
    #expect(!session.screen.isAlternate)
    #expect(session.screen.modes.contains(25))
  }

  @Test("follows the size of the terminal")
  func size() throws {
    let session = try session()
    try session.waitFor("> alpha")
    session.resize(columns: 70, rows: 12)
    try session.waitFor("> alpha")
    session.type("q")
    #expect(try session.end() == 0)
  }

  @Test("a server that goes is said to be gone, and the dashboard stays")
  func gone() throws {
    let session = try session()
    try session.waitFor("> alpha")
    _ = server.program.end(SIGKILL)
    try session.waitFor("No server answers")
    session.type("\u{3}")
    try session.waitFor("status 0")
  }

  @Test("in a pipe there are lines, and objects with --json")
  func lines() throws {
    let plain = try server.command("top", "--count", "2", "--interval", "100ms")
    #expect(plain.status == 0)
    #expect(plain.output.split(separator: "\n").count == 4)
    #expect(plain.output.contains("alpha"))
    let objects = try server.command("top", "--count", "2", "--interval", "100ms", "--json", "--proxy", "beta")
    let lines = objects.output.split(separator: "\n")
    #expect(lines.count == 2)
    let proxies = try json(String(lines[0]))["proxies"] as? [[String: Any]]
    #expect(proxies?.count == 1)
    #expect(proxies?.first?["name"] as? String == "beta")
    #expect(proxies?.first?["down_bits_per_second"] as? Int == 0)
  }
}
