import Foundation
import MPaaSTestSupport
import Testing

@Suite("The commands that talk to a server of proxies") struct NetClientTests {
  let server: NetServer

  init() throws { server = try NetServer() }

  @Test("a proxy is created, listed, toggled and deleted")
  func life() throws {
    let made = try server.command("create", "web", "-u", "localhost:9", "--json")
    #expect(made.status == 0)
    #expect(try json(made.output)["upstream"] as? String == "localhost:9")
    let list = try server.command("list")
    #expect(list.output.contains("web"))
    #expect(list.output.contains("localhost:9"))
    #expect(list.output.contains("up"))
    #expect(
      try json(server.command("list", "web", "--json").output.dropFirst().dropLast(2).description)["name"] as? String
        == "web")
    #expect(try server.command("toggle", "web").output.contains("down"))
    #expect(try server.proxies()["web"]?["enabled"] as? Bool == false)
    #expect(try server.command("toggle", "web", "--on").status == 0)
    #expect(try server.proxies()["web"]?["enabled"] as? Bool == true)
    #expect(try server.command("delete", "web").status == 0)
    let gone = try server.command("delete", "web", "--json")
    #expect(gone.status == 66)
    #expect(gone.errors.contains("net-proxy-unknown"))
    #expect(try server.command("list").output.contains("no proxies"))
  }

  @Test("a timeline is played on the server that the environment names, and leaves nothing behind")
  func replay() throws {
    try server.create("p")
    let folder = try TemporaryFolder()
    let file = folder.path + "/t.timeline"
    try Data("at 100ms: latency 30ms for 300ms\nlength 500ms\n".utf8).write(to: URL(filePath: file))
    let outcome = try server.command("replay", file, "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("latency 30ms"))
    #expect(try json(outcome.output)["state"] as? String == "ended")
    #expect(try server.toxics("p").isEmpty)
  }

  @Test("toxics take words with units, and keep what an update does not name")
  func toxics() throws {
    try server.create("p")
    let added = try server.command(
      "toxic", "add", "p", "latency", "latency=1s", "jitter=50ms", "--toxicity", "25%", "--json")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try json(added.output)["attributes"] as? [String: Double] == ["latency": 1000, "jitter": 50])
    #expect(try json(added.output)["toxicity"] as? Double == 0.25)
    let rate = try server.command("toxic", "add", "p", "bandwidth", "rate=256kbit", "--stream", "upstream", "--json")
    #expect((try json(rate.output)["attributes"] as? [String: Any])?["rate"] as? Double == 32)
    let updated = try server.command("toxic", "update", "p", "latency_downstream", "latency=2s", "--json")
    #expect(try json(updated.output)["attributes"] as? [String: Double] == ["latency": 2000, "jitter": 50])
    #expect(try server.command("toxic", "list", "p").output.contains("bandwidth_upstream"))
    #expect(try server.command("toxic", "remove", "p", "latency_downstream").status == 0)
    #expect(try server.toxics("p").count == 1)
    #expect(try server.command("toxic", "remove", "p", "--all").status == 0)
    #expect(try server.toxics("p").isEmpty)
  }

  @Test(
    "wrong words are refused before anything is asked",
    arguments: [
      (["toxic", "add", "p", "latency", "latency"], "net-attribute-word"),
      (["toxic", "add", "p", "latency", "speed=1"], "net-attribute-unknown"),
      (["toxic", "add", "p", "latency", "latency=soon"], "net-attribute-text"),
      (["toxic", "add", "p", "latency", "--toxicity", "2"], "net-toxicity"),
      (["toxic", "add", "p", "latensy"], "usage"),
      (["toxic", "remove", "p"], "net-toxic-which"), (["create", "x"], "net-create-upstream"),
      (["create", "x", "--kind", "tls", "--route", "nothing"], "net-create-route"),
      (["toggle", "p", "--on", "--off"], "net-toggle-both"), (["top", "--interval", "never"], "net-top-interval"),
    ])
  func wrong(_ words: [String], _ code: String) throws {
    let outcome = try mpaas(["net"] + words + ["--api", "127.0.0.1:1", "--json"])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("\"code\":\"\(code)"), "\(outcome.errors)")
  }

  @Test("profiles and buttons hold until they are taken away, on new proxies too")
  func layers() throws {
    try server.create("a")
    #expect(try server.command("apply", "3g").status == 0)
    try server.create("b")
    for name in ["a", "b"] { #expect(try !server.toxics(name).isEmpty, "\(name)") }
    #expect(try server.command("apply", "edge", "--proxy", "a").status == 0)
    #expect(try server.toxics("b").isEmpty)
    #expect(try !server.toxics("a").isEmpty)
    #expect(try server.command("apply", "off").status == 0)
    #expect(try server.toxics("a").isEmpty)
    #expect(try server.command("button", "flight-mode").output.contains("down"))
    #expect(try server.toxics("a").contains { $0["type"] as? String == "flight_mode" })
    #expect(try server.command("button", "flight-mode").output.contains("up"))
    #expect(try server.toxics("a").isEmpty)
    #expect(try server.command("button", "longer").status == 0)
    #expect(try server.command("button", "doorbell", "--json").errors.contains("net-button-unknown"))
    #expect(try server.command("apply", "3gg", "--json").status == 66)
    #expect(try server.command("reset").status == 0)
  }

  @Test("no server, and something that is none, are told apart")
  func unreachable() throws {
    let port = try RawAnswer.freePort()
    let none = try mpaas("net", "list", "--api", "127.0.0.1:\(port)", "--json")
    #expect(none.status == 69)
    #expect(none.errors.contains("net-api-unreachable"))
    let other = try LoopbackServer { _, _ in LoopbackServer.answer("404 Not Found", body: Array("no".utf8)) }
    let foreign = try mpaas("net", "list", "--api", "http://127.0.0.1:\(other.port)/", "--json")
    #expect(foreign.status == 69)
    #expect(foreign.errors.contains("net-api-foreign"))
    #expect(try mpaas("net", "list", "--api", "nowhere").status == 64)
  }

  @Test(
    "an answer that is none is told, whatever it is",
    arguments: [
      ("SSH-2.0-OpenSSH_9.2\r\n", "net-api-foreign"), ("HTTP/1.1 OK\r\n\r\n", "net-api-foreign"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", "net-api-foreign"),
      ("HTTP/1.1 302 Found\r\nLocation: /proxies\r\nContent-Length: 0\r\n\r\n", "net-api-foreign"),
      ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "net-api-foreign"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n", "net-api-unreachable"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "net-api-unreachable"),
      ("HTTP/1.1 200 OK\r\nContent-Le", "net-api-unreachable"), ("", "net-api-unreachable"),
    ])
  func noAnswer(_ bytes: String, _ word: String) throws {
    let other = try LoopbackServer { _, _ in Array(bytes.utf8) }
    let told = try mpaas("net", "list", "--api", "127.0.0.1:\(other.port)", "--json")
    #expect(told.status == 69, "\(told.errors)")
    #expect(told.errors.contains(word), "\(told.errors)")
  }

  @Test(
    "an answer is one by its length, its chunks or the connection's end, and a proxy of the environment is not asked",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.0 200 OK\r\n\r\n{}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nT: x\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    ])
  func answers(_ bytes: String) throws {
    let other = try LoopbackServer { _, _ in Array(bytes.utf8) }
    let told = try mpaas(
      "net", "list", "--api", "localhost:\(other.port)", "--json",
      environment: ["http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"])
    #expect(told.status == 0, "\(told.errors)")
  }

  @Test("a proxy of any name is changed and deleted by it", arguments: [".", "..", "a/b", "重庆 25%", "?&=#"])
  func names(_ name: String) throws {
    _ = try server.command("create", name, "--upstream", "127.0.0.1:9")
    let down = try server.command("toggle", name, "--off")
    #expect(down.status == 0, "\(down.errors)")
    let gone = try server.command("delete", name)
    #expect(gone.status == 0, "\(gone.errors)")
    #expect(try !server.command("list", "--json").output.contains("127.0.0.1:9\""))
  }

  @Test("statistics count what passed, and metrics have toxiproxy's names")
  func statistics() throws {
    let upstream = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK", body: Array("hello".utf8)) }
    let proxy = try server.create("web", upstream: "127.0.0.1:\(upstream.port)")
    let port = try #require((proxy["listen"] as? String)?.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(try RawAnswer.exchange(port, Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)).body == "hello")
    let metrics = try server.ask("GET", "/metrics")
    #expect(metrics.head.contains("text/plain; version=0.0.4"))
    let labels =
      #"{direction="upstream",listener="127.0.0.1:\#(port)",proxy="web",upstream="127.0.0.1:\#(upstream.port)"}"#
    #expect(metrics.body.contains("toxiproxy_proxy_received_bytes_total\(labels) 27\n"), "\(metrics.body)")
    #expect(metrics.body.contains("toxiproxy_proxy_sent_bytes_total\(labels) 27\n"))
    #expect(metrics.body.contains("mpaas_net_connections_total{proxy=\"web\"} 1\n"))
    let all = try server.ask("GET", "/statistics?proxy=web").object()["proxies"] as? [[String: Any]]
    #expect(all?.first?["connections"] as? Int == 1)
    #expect(try server.ask("GET", "/statistics?proxy=none").status == 404)
  }

  @Test("timelines are started, paused and stopped")
  func timelines() throws {
    try server.create("p")
    let body = #"{"name":"t","text":"at 0s: latency 100ms for 1h"}"#
    let started = try server.ask("POST", "/timelines", body)
    #expect(started.status == 201, "\(started.body)")
    #expect(try started.object()["state"] as? String == "playing")
    #expect(try server.toxics("p").contains { $0["type"] as? String == "latency" })
    #expect(try server.ask("PATCH", "/timelines/t", #"{"paused":true}"#).object()["state"] as? String == "paused")
    #expect(try server.ask("DELETE", "/timelines/t").status == 204)
    #expect(try server.toxics("p").isEmpty)
    #expect(try server.ask("GET", "/timelines/t").status == 404)
    #expect(try server.ask("POST", "/timelines", #"{"text":"at noon: lunch"}"#).status == 400)
  }

  @Test("the stream of events tells what happens as it does", .tool("curl"))
  func events() throws {
    let curl = Process()
    let pipe = Pipe()
    curl.executableURL = URL(filePath: try #require(Command.find("curl")))
    curl.arguments = ["-sN", "http://\(server.address)/events?kind=proxy_added,toxic_added"]
    curl.standardOutput = pipe
    try withNoSignalsBlocked { try curl.run() }
    defer { curl.terminate() }
    var text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    try server.create("p")
    #expect(try server.ask("POST", "/proxies/p/toxics", #"{"type":"latency"}"#).status == 200)
    while !text.contains("toxic_added") {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.hasPrefix(": listening\n\n"))
    #expect(text.contains("event: proxy_added\ndata: {"))
    #expect(text.contains("event: toxic_added\n"))
    #expect(try server.ask("GET", "/events?kind=earthquake").status == 400)
  }
}
