import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas file") struct FileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["file"] + words, environment: ["MPAAS_HOME": folder.path + "/home", "no_proxy": "127.0.0.1"],
      directory: folder.url)
  }

  private func file(_ size: Int) throws -> String {
    let path = folder.path + "/report.log"
    try Data((0..<size).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(filePath: path))
    return path
  }

  @Test("a file goes up by PUT; the result says where it is and what it was")
  func put() throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("201 Created") }
    let outcome = try run("put", try file(1000), server.url + "/up", "--method", "put", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let result = try json(outcome.output)
    #expect(result["state"] as? String == "done")
    #expect(result["size"] as? Int == 1000)
    #expect((result["sha256"] as? String)?.count == 64)
    #expect(server.requests.first?.hasPrefix("PUT /up HTTP/1.1") == true)
    let list = try json(try run("list", "--json").output)
    #expect((list["transfers"] as? [[String: Any]])?.count == 1)
    #expect(try run("remove", "1").status == 0)
    #expect(try run("list").output.contains("No transfers"))
  }

  @Test("what cannot go now stays in the queue, with status 75; resume brings it")
  func resume() throws {
    let server = try LoopbackServer { _, number in
      LoopbackServer.answer(number == 0 ? "503 Busy" : "201 Created", headers: number == 0 ? ["Retry-After: 60"] : [])
    }
    let first = try run("put", try file(10), server.url + "/up", "--method", "put", "--no-wait")
    #expect(first.status == 75, "\(first.output) \(first.errors)")
    let second = try run("resume", "1", "--json")
    #expect(second.status == 0, "\(second.output) \(second.errors)")
  }

  @Test("a closed port is told at once, and given up after the time that is permitted; the queue is its owner's alone")
  func closedPort() throws {
    let begun = Date()
    let outcome = try run("get", "http://127.0.0.1:1/f", "--standstill", "2")
    #expect(outcome.status == 75)
    #expect(Date().timeIntervalSince(begun) < 20)
    #expect(outcome.errors.contains("server-unreachable"), "\(outcome.errors)")
    #expect(outcome.output.contains("mpaas file resume"), "\(outcome.output)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/home")
    let queue = paths.filter { $0.contains("transfers") }
    #expect(queue.contains { $0.hasSuffix("queue.sqlite") })
    for path in queue {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/home/" + path)
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & 0o077 == 0, "\(path) \(String(mode, radix: 8))")
    }
  }

  @Test("a refusal ends with the status of its error; an unknown number with 66")
  func refusals() throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("403 Forbidden") }
    #expect(try run("put", try file(10), server.url + "/up", "--method", "put").status == 69)
    #expect(try run("pause", "77").status == 66)
    #expect(try run("put", folder.path + "/none", server.url).status == 66)
    #expect(try run("put", try file(10), "ftp://x/y").status == 64)
  }

  @Test("a download gets the name of the address, replaces nothing unasked, and is checked")
  func get() throws {
    let body = Array("hello, world".utf8)
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK", body: body) }
    let outcome = try run("get", server.url + "/a/hello.txt?x=1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try String(contentsOfFile: folder.path + "/hello.txt", encoding: .utf8) == "hello, world")
    #expect(try run("get", server.url + "/a/hello.txt").status == 73)
    let wrong = try run("get", server.url + "/b", "b", "--sha256", String(repeating: "0", count: 64))
    #expect(wrong.status == 65, "\(wrong.output) \(wrong.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/b"))
  }
}
