import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas server") struct ServerLoginTests {
  private func write(_ text: String, to path: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test("login tries the token, keeps it for its owner alone, and commands find it; logout forgets it")
  func login() throws {
    let it = try ServedLogs()
    let home = try TemporaryFolder()
    // The line that the server printed is a file with a token, too.
    let file = try write(it.program.line + "\n", to: home.path + "/server.json")
    let made = try mpaas("server", "login", it.url + "/", "--token-file", file, "--json", home: home)
    #expect(made.status == 0, "\(made)")
    let kept = try #require(try json(made.output)["file"] as? String)
    let attributes = try FileManager.default.attributesOfItem(atPath: kept)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try mpaas("log", "tasks", home: home).status == 0)
    #expect(try mpaas("log", "tasks", "--server", it.url, home: home).status == 0)
    let list = try json(try mpaas("server", "list", "--json", home: home).output)
    #expect((list["profiles"] as? [[String: Any]])?.map { $0["url"] as? String } == [it.url])
    #expect(!(try mpaas("server", "list", home: home)).output.contains(it.token))
    #expect(try mpaas("server", "logout", home: home).status == 0)
    #expect(!FileManager.default.fileExists(atPath: kept))
    #expect(try mpaas("log", "tasks", home: home).status == 64)
    #expect(try mpaas("server", "logout", home: home).status == 78)
  }

  @Test("a token that the server does not know is not kept, nor one that is empty or not given")
  func refused() throws {
    let it = try ServedLogs()
    let home = try TemporaryFolder()
    let cases: [(input: String, words: [String], status: Int32)] = [
      ("mpt_wrong", ["--token-file", "-"], 77), ("\n", ["--token-file", "-"], 64), ("", [], 64),
    ]
    for (input, words, status) in cases {
      let outcome = try mpaas(["server", "login", it.url] + words, home: home, input: input)
      #expect(outcome.status == status, "\(words): \(outcome)")
    }
    #expect(try mpaas("server", "login", "ftp://a", "--token-file", "-", home: home, input: "a").status == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
  }

  @Test("a profile stands for one server; a second one takes another name")
  func taken() throws {
    let first = try ServedLogs(), second = try ServedLogs()
    let home = try TemporaryFolder()
    for (server, words, status) in [(first, [], Int32(0)), (second, [], 73), (second, ["--profile", "two"], 0)] {
      let call = ["server", "login", server.url, "--token-file", "-"] + words
      let outcome = try mpaas(call, home: home, input: server.token)
      #expect(outcome.status == status, "\(words): \(outcome)")
    }
    #expect(try mpaas("log", "tasks", "--profile", "two", home: home).status == 0)
    // The token of the profile that is for the address.
    #expect(try mpaas("log", "tasks", "--server", second.url, home: home).status == 0)
  }
}
