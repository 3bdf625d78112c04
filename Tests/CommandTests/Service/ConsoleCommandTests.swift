import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas console") struct ConsoleCommandTests {
  private func write(_ text: String, _ it: ServedLogs, _ name: String) throws -> String {
    let path = it.home.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test("tokens are made, listed without themselves, put in the place of others, and ended")
  func tokens() throws {
    let it = try ServedLogs()
    let made = try json(try it.command("console", "token", "create", "ci", "--role", "reader", "--json").output)
    let (id, token) = (try #require(made["id"] as? String), try #require(made["token"] as? String))
    let list = try it.command("console", "token", "list")
    #expect(list.output.contains("ci") && !list.output.contains(token))
    let environment = ["MPAAS_SERVER_URL": it.url, "MPAAS_TOKEN": token]
    #expect(try mpaas(["log", "tasks"], home: it.home, environment: environment).status == 0)
    let fresh = try it.command("console", "token", "rotate", id)
    #expect(fresh.output.hasPrefix("mpt_") && fresh.output.hasSuffix("\n"))
    #expect(try mpaas(["log", "tasks"], home: it.home, environment: environment).status == 77)
    #expect(try it.command("console", "token", "revoke", id).status == 66)
    #expect(try it.command("console", "token", "create", "x").status == 64)
    #expect(try it.command("console", "token", "create", "x", "--scope", "fly").status != 0)
  }

  @Test("people and teams are added, changed and removed, and the audit log has it in a chain that breaks when changed")
  func people() throws {
    let it = try ServedLogs()
    let password = try write("correct horse battery\n", it, "password")
    let added = try it.command("console", "user", "add", "ann", "--role", "member", "--password-file", password)
    #expect(added.status == 0 && added.output.contains("ann"), "\(added.errors)")
    #expect(try it.command("console", "user", "add", "ann", "--password-file", password).status != 0)
    let team = try it.command("console", "team", "add", "T", "--app", "default", "--member", "ann=reader")
    #expect(team.status == 0 && team.output.contains("ann=reader"), "\(team.errors)")
    #expect(try it.command("console", "team", "add", "U", "--member", "ann=king").status == 64)
    let changed = try json(try it.command("console", "team", "change", "T", "--without", "ann", "--json").output)
    #expect(((changed["teams"] as? [[String: Any]])?.first?["members"] as? [Any])?.isEmpty == true)
    #expect(try it.command("console", "team", "remove", "T").status == 0)
    #expect(try it.command("console", "user", "disable", "ann").output.contains("disabled"))
    #expect(try it.command("console", "session", "list").status == 0)
    let file = it.home.path + "/audit.jsonl"
    #expect(try it.command("console", "audit", "export", "--output", file).status == 0)
    #expect(try it.command("console", "audit", "export", "--output", file).status == 73)
    let verdict = try json(try it.command("console", "audit", "verify", file, "--json").output)
    let head = try #require(verdict["head"] as? String)
    #expect(try it.command("console", "audit", "verify", "--head", head).status == 0)
    #expect(try it.command("console", "audit", "verify", "--head", "1:00").status == 77)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let broken = try write(text.replacingOccurrences(of: "ann", with: "bob"), it, "broken.jsonl")
    #expect(try it.command("console", "audit", "verify", broken).status == 77)
    let damaged = try write(text + "{", it, "damaged.jsonl")
    #expect(try it.command("console", "audit", "verify", damaged).status == 65)
  }

  @Test("an account is bound to an issuer's name for a person, and has a password again when that ends")
  func subjects() throws {
    let it = try ServedLogs()
    let subject = "https://id.example.com 4711"
    // No password is asked for.
    let added = try it.command("console", "user", "add", "ann", "--role", "member", "--subject", subject)
    #expect(added.status == 0 && added.output.contains("single sign-on"), "\(added.errors)")
    let password = try write("correct horse battery\n", it, "password")
    let refused = try it.command("console", "user", "password", "ann", "--password-file", password)
    #expect(refused.status != 0 && refused.errors.contains("has no password"), "\(refused.errors)")
    #expect(try it.command("console", "user", "add", "bob", "--subject", subject).errors.contains("bound"))
    let changed = try it.command("console", "user", "change", "ann", "--subject", "", "--json")
    let person = (try json(changed.output)["people"] as? [[String: Any]])?.first
    #expect(changed.status == 0 && person?["name"] as? String == "ann" && person?["subject"] as? String == nil)
    #expect(try it.command("console", "user", "password", "ann", "--password-file", password).status == 0)
  }

  @Test("alerts are added, tested and removed; an address of a private network is refused unless that is allowed")
  func alerts() throws {
    let it = try ServedLogs(["--allow-private-webhooks"])
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK") }
    let added = try it.command(
      "console", "alert", "add", "storm", "--when", "count", "--over", "10", "--webhook", server.url, "--json")
    let alert = try #require((try json(added.output)["alerts"] as? [[String: Any]])?.first, "\(added.errors)")
    let id = try #require(alert["id"] as? String)
    let tested = try it.command("console", "alert", "test", id, "--json")
    let delivery = try #require((try json(tested.output)["deliveries"] as? [[String: Any]])?.first)
    #expect(delivery["state"] as? String == "sent", "\(tested.output)")
    #expect(try it.command("console", "alert", "list").output.contains("storm"))
    #expect(try it.command("console", "alert", "remove", id).status == 0)
    #expect(try it.command("console", "alert", "add", "x", "--when", "count", "--webhook", server.url).status == 64)
    let other = try ServedLogs()
    let refused = try other.command("console", "alert", "add", "x", "--when", "new", "--webhook", server.url)
    #expect(refused.status != 0 && refused.errors.contains("internet"), "\(refused.errors)")
  }
}
