import Foundation
import MPaaSTestSupport
import Testing

@Suite("The toxics of the control API, as toxiproxy's") struct NetAPIToxicTests {
  let server: NetServer

  init() throws {
    server = try NetServer()
    try server.create("p")
  }

  private func add(_ body: String) throws -> RawAnswer { try server.ask("POST", "/proxies/p/toxics", body) }

  private func attributes(_ toxic: [String: Any]?) -> [String: Double] {
    (toxic?["attributes"] as? [String: Any] ?? [:]).compactMapValues { ($0 as? NSNumber)?.doubleValue }
  }

  @Test("a toxic is added with what it was given, and read back")
  func add() throws {
    #expect(try server.toxics("p").isEmpty)
    let body =
      #"{"name":"foobar","type":"latency","stream":"downstream","toxicity":0.2,"attributes":{"latency":100,"jitter":10}}"#
    let answer = try add(body)
    #expect(answer.status == 200)
    #expect(NSDictionary(dictionary: try answer.object()) == NSDictionary(dictionary: try json(body)))
    let shown = try server.ask("GET", "/proxies/p/toxics/foobar")
    #expect(shown.status == 200)
    #expect(shown.body == answer.body)
    #expect(try server.toxics("p").count == 1)
    #expect((try server.proxies()["p"]?["toxics"] as? [Any])?.count == 1)
  }

  @Test("what is not given is downstream, always, zero, and named by type and stream")
  func defaults() throws {
    #expect(try add(#"{"type":"latency","stream":"upstream"}"#).status == 200)
    #expect(try add(#"{"type":"latency","attributes":null}"#).status == 200)
    let toxics = try server.toxics("p")
    #expect(Set(toxics.compactMap { $0["name"] as? String }) == ["latency_upstream", "latency_downstream"])
    for toxic in toxics {
      #expect(toxic["toxicity"] as? Double == 1)
      #expect(attributes(toxic) == ["latency": 0, "jitter": 0])
    }
  }

  @Test("every type of toxiproxy takes its attributes and gives them back")
  func types() throws {
    let all: [(String, [String: Double])] = [
      ("latency", ["latency": 100, "jitter": 10]), ("bandwidth", ["rate": 100]), ("slow_close", ["delay": 250]),
      ("timeout", ["timeout": 1000]), ("reset_peer", ["timeout": 500]),
      ("slicer", ["average_size": 64, "size_variation": 32, "delay": 10]), ("limit_data", ["bytes": 1024]),
      ("noop", [:]),
    ]
    for (type, given) in all {
      let written = given.map { "\"\($0.key)\":\(Int($0.value))" }.joined(separator: ",")
      let answer = try add(
        #"{"name":"\#(type)","type":"\#(type)","attributes":{\#(written),"unheard_of":1}}"#
          .replacingOccurrences(of: "{,", with: "{"))
      #expect(answer.status == 200, "\(type): \(answer.body)")
      #expect(try attributes(answer.object()) == given, "\(type)")
      #expect(try server.ask("DELETE", "/proxies/p/toxics/\(type)").status == 204)
    }
    #expect(try server.toxics("p").isEmpty)
  }

  @Test("names are given once on a proxy, whatever the stream")
  func conflicts() throws {
    #expect(try add(#"{"name":"foobar","type":"latency","stream":"upstream"}"#).status == 200)
    for body in [
      #"{"name":"foobar","type":"latency","stream":"downstream"}"#, #"{"name":"foobar","type":"slow_close"}"#,
    ] {
      let answer = try add(body)
      #expect(answer.status == 409)
      #expect(try answer.object()["error"] as? String == "toxic already exists")
    }
    #expect(try server.toxics("p").count == 1)
  }

  @Test("wrong types, streams and values are refused")
  func refusals() throws {
    for (body, message) in [
      (#"{"type":"latency","stream":"walrustream"}"#, "stream was invalid, can be either upstream or downstream"),
      (#"{"type":"walrus"}"#, "invalid toxic type"), (#"{}"#, "invalid toxic type"),
    ] {
      let answer = try add(body)
      #expect(answer.status == 400)
      #expect(try answer.object()["error"] as? String == message)
    }
    for body in ["", #"{"type":"latency","attributes":{"latency":"slow"}}"#, #"{"type":"latency","toxicity":7}"#] {
      let answer = try add(body)
      #expect(answer.status == 400, "\(body)")
      #expect((try answer.object()["error"] as? String)?.hasPrefix("bad request body: ") == true)
    }
    #expect(try server.toxics("p").isEmpty)
  }

  @Test("an update keeps what it does not name", arguments: ["POST", "PATCH"])
  func update(_ method: String) throws {
    #expect(try add(#"{"type":"latency","attributes":{"latency":100,"jitter":10}}"#).status == 200)
    let path = "/proxies/p/toxics/latency_downstream"
    let first = try server.ask(method, path, #"{"toxicity":0.5,"attributes":{"latency":1000}}"#)
    #expect(first.status == 200)
    #expect(try attributes(first.object()) == ["latency": 1000, "jitter": 10])
    let second = try server.ask(method, path, #"{"attributes":{"latency":500},"type":"timeout","stream":"upstream"}"#)
    #expect(try second.object()["toxicity"] as? Double == 0.5)
    #expect(try attributes(second.object()) == ["latency": 500, "jitter": 10])
    #expect(try second.object()["type"] as? String == "latency")
    #expect(try second.object()["stream"] as? String == "downstream")
    let absent = try server.ask(method, "/proxies/p/toxics/nothing", "{}")
    #expect(absent.status == 404)
    #expect(try absent.object()["error"] as? String == "toxic not found")
  }

  @Test("a toxic is removed once, also one that holds a connection")
  func remove() throws {
    #expect(try add(#"{"type":"timeout","attributes":{"timeout":0}}"#).status == 200)
    #expect(try server.ask("DELETE", "/proxies/p/toxics/timeout_downstream").status == 204)
    let again = try server.ask("DELETE", "/proxies/p/toxics/timeout_downstream")
    #expect(again.status == 404)
    #expect(try again.object()["error"] as? String == "toxic not found")
  }

  @Test("a reset enables all proxies and removes all toxics")
  func reset() throws {
    #expect(try add(#"{"type":"latency","attributes":{"latency":100}}"#).status == 200)
    #expect(try server.ask("POST", "/proxies/p", #"{"enabled":false}"#).status == 200)
    let answer = try server.ask("POST", "/reset")
    #expect(answer.status == 204)
    #expect(answer.body.isEmpty)
    let proxy = try #require(try server.proxies()["p"])
    #expect(proxy["enabled"] as? Bool == true)
    #expect((proxy["toxics"] as? [Any])?.isEmpty == true)
    #expect(NetServer.isUp(proxy["listen"]))
  }

  @Test("toxicity 0 touches no connection")
  func toxicity() throws {
    let upstream = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK", body: Array("hello".utf8)) }
    let proxy = try server.create("web", upstream: "127.0.0.1:\(upstream.port)")
    let port = try #require((proxy["listen"] as? String)?.split(separator: ":").last.flatMap { UInt16($0) })
    for type in ["timeout", "reset_peer", "flight_mode", "blackout"] {
      let body = #"{"type":"\#(type)","toxicity":0}"#
      #expect(try server.ask("POST", "/proxies/web/toxics", body).status == 200)
    }
    let answer = try RawAnswer.exchange(port, Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(answer.body == "hello")
  }
}
