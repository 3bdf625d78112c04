import Foundation
import MPaaSTestSupport
import Testing

/// Holds the promises of toxiproxy's API, asked of `mpaas net serve` over HTTP.
@Suite("The control API, as toxiproxy's") struct NetAPITests {
  let server: NetServer

  init() throws { server = try NetServer() }

  private func error(_ answer: RawAnswer) throws -> String? { try answer.object()["error"] as? String }

  @Test("every answer has a number, and the version is one member")
  func version() throws {
    let answer = try server.ask("GET", "/version")
    #expect(answer.status == 200)
    #expect(answer.head.lowercased().contains("x-toxiproxy-request-id: "))
    #expect(answer.head.contains("Content-Type: application/json;charset=utf-8"))
    #expect(answer.body.wholeMatch(of: /\{"version": "[0-9.]+"\}\n/) != nil, "\(answer.body)")
  }

  @Test("browsers are refused, other programs are not")
  func browsers() throws {
    let agent = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
    #expect(try server.ask("GET", "/proxies", headers: [agent]).status == 403)
    #expect(try server.ask("GET", "/proxies", headers: ["User-Agent: Wget/2.1"]).status == 200)
  }

  @Test("a name that is not this machine's is refused, as pages of other sites use it")
  func rebinding() throws {
    let bytes = Array("GET /proxies HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8)
    #expect(try RawAnswer.exchange(server.port, bytes).status == 403)
  }

  @Test("without proxies the index is an empty object")
  func empty() throws {
    #expect(try server.proxies().isEmpty)
  }

  @Test("a proxy needs a name and an upstream, and a body that is JSON")
  func missing() throws {
    for (body, message) in [
      (#"{"name":"","listen":"","upstream":""}"#, "missing required field: name"),
      (#"{"name":"test","listen":"","upstream":""}"#, "missing required field: upstream"),
    ] {
      let answer = try server.ask("POST", "/proxies", body)
      #expect(answer.status == 400)
      #expect(try error(answer) == message)
      #expect(try answer.object()["status"] as? Int == 400)
    }
    for body in ["", "{", "[1]", #"{"name": 5}"#, #"{"name":"a","upstream":"b:1","enabled":"yes"}"#] {
      let answer = try server.ask("POST", "/proxies", body)
      #expect(answer.status == 400)
      #expect(try error(answer)?.hasPrefix("bad request body: ") == true, "\(body)")
    }
  }

  @Test("a proxy is created, listens, is shown, and is found in the index")
  func create() throws {
    let made = try server.create("mysql_master")
    #expect(made["name"] as? String == "mysql_master")
    #expect(made["upstream"] as? String == "localhost:20001")
    #expect(made["enabled"] as? Bool == true)
    #expect((made["toxics"] as? [Any])?.isEmpty == true)
    let listen = try #require(made["listen"] as? String)
    #expect(listen.hasPrefix("127.0.0.1:"))
    #expect(!listen.hasSuffix(":0"))
    #expect(NetServer.isUp(listen))
    let shown = try server.ask("GET", "/proxies/mysql_master")
    #expect(shown.status == 200)
    #expect(NSDictionary(dictionary: try shown.object()) == NSDictionary(dictionary: made))
    #expect(try server.proxies().keys.sorted() == ["mysql_master"])
  }

  @Test("a disabled proxy keeps its address as written, and listens when it is enabled", arguments: ["POST", "PATCH"])
  func enable(_ method: String) throws {
    let port = try RawAnswer.freePort()
    let body = #"{"name":"p","listen":"localhost:\#(port)","upstream":"localhost:20001","enabled":false}"#
    let made = try server.ask("POST", "/proxies", body)
    #expect(made.status == 201)
    #expect(try made.object()["listen"] as? String == "localhost:\(port)")
    #expect(!NetServer.isUp("x:\(port)"))
    let up = try server.ask(method, "/proxies/p", #"{"enabled":true}"#)
    #expect(up.status == 200)
    #expect(NetServer.isUp("x:\(port)"))
    #expect(try up.object()["listen"] as? String == "127.0.0.1:\(port)")
    #expect(try server.ask(method, "/proxies/p", #"{"enabled":false}"#).object()["enabled"] as? Bool == false)
    #expect(!NetServer.isUp("x:\(port)"))
  }

  @Test("a proxy is deleted once")
  func delete() throws {
    let made = try server.create("p")
    let answer = try server.ask("DELETE", "/proxies/p")
    #expect(answer.status == 204)
    #expect(answer.body.isEmpty)
    #expect(!NetServer.isUp(made["listen"]))
    let again = try server.ask("DELETE", "/proxies/p")
    #expect(again.status == 404)
    #expect(try error(again) == "proxy not found")
    for (method, path) in [("GET", "/proxies/p"), ("POST", "/proxies/p"), ("GET", "/proxies/p/toxics")] {
      let answer = try server.ask(method, path, method == "POST" ? "{}" : nil)
      #expect(answer.status == 404)
      #expect(try error(answer) == "proxy not found")
    }
  }

  @Test("a port and a name are given once; both are free again after a deletion")
  func conflicts() throws {
    let made = try server.create("one")
    let listen = try #require(made["listen"] as? String)
    let taken = try server.ask("POST", "/proxies", #"{"name":"two","listen":"\#(listen)","upstream":"a:1"}"#)
    #expect(taken.status == 500)
    #expect(try error(taken) == "listen tcp \(listen): bind: address already in use")
    let named = try server.ask("POST", "/proxies", #"{"name":"one","listen":"localhost:0","upstream":"a:1"}"#)
    #expect(named.status == 409)
    #expect(try error(named) == "proxy already exists")
    #expect(try server.ask("DELETE", "/proxies/one").status == 204)
    try server.create("one", listen: listen)
  }

  @Test("an update of the address restarts the proxy there, one to the same address by another name does not")
  func update() throws {
    let made = try server.create("p")
    let listen = try #require(made["listen"] as? String)
    let port = try #require(listen.split(separator: ":").last)
    let same = try server.ask("PATCH", "/proxies/p", #"{"listen":"localhost:\#(port)"}"#)
    #expect(same.status == 200)
    #expect(try same.object()["listen"] as? String == listen)
    let moved = try server.ask("PATCH", "/proxies/p", #"{"listen":"localhost:0","upstream":"localhost:20002"}"#)
    #expect(moved.status == 200)
    #expect(try moved.object()["upstream"] as? String == "localhost:20002")
    #expect(try moved.object()["listen"] as? String != listen)
    #expect(try NetServer.isUp(moved.object()["listen"]))
  }

  @Test("unknown paths are 404, wrong methods 405 with those that are right")
  func routes() throws {
    #expect(try server.ask("GET", "/nothing").status == 404)
    let answer = try server.ask("PUT", "/proxies", "{}")
    #expect(answer.status == 405)
    #expect(answer.head.contains("Allow: GET, POST"))
    #expect(try server.ask("GET", "/reset").status == 405)
  }
}
