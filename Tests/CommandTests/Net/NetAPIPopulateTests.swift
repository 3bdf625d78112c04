import Foundation
import MPaaSTestSupport
import Testing

@Suite("Populating by the control API, as toxiproxy's") struct NetAPIPopulateTests {
  let server: NetServer

  init() throws { server = try NetServer() }

  private func proxy(_ name: String, _ listen: String, _ more: String = "") -> String {
    #"{"name":"\#(name)","listen":"\#(listen)","upstream":"localhost:7171"\#(more)}"#
  }

  private func populate(_ proxies: String...) throws -> (status: Int, error: String?, proxies: [[String: Any]]) {
    let answer = try server.ask("POST", "/populate", "[\(proxies.joined(separator: ","))]")
    let object = try answer.object()
    return (answer.status, object["error"] as? String, object["proxies"] as? [[String: Any]] ?? [])
  }

  private func names(_ proxies: [[String: Any]]) -> [String] { proxies.compactMap { $0["name"] as? String } }

  @Test("the proxies are there in the order that was asked for, enabled where nothing else is said")
  func populate() throws {
    let made = try populate(
      proxy("one", "localhost:0"), proxy("two", "localhost:0", #","enabled":true"#),
      proxy("three", "localhost:0", #","enabled":false"#))
    #expect(made.status == 201)
    #expect(made.error == nil)
    #expect(names(made.proxies) == ["one", "two", "three"])
    #expect(made.proxies.map { NetServer.isUp($0["listen"]) } == [true, true, false])
    #expect(try populate().status == 201)
  }

  @Test("one with the same addresses stays with its toxics, one with others is replaced")
  func existing() throws {
    let one = try #require(try server.create("one", upstream: "localhost:7171")["listen"] as? String)
    let two = try #require(try server.create("two", upstream: "localhost:7474")["listen"] as? String)
    for name in ["one", "two"] {
      #expect(try server.ask("POST", "/proxies/\(name)/toxics", #"{"type":"latency"}"#).status == 200)
    }
    let port = try #require(one.split(separator: ":").last)
    let made = try populate(proxy("one", "localhost:\(port)"), proxy("two", "127.0.0.1:0"))
    #expect(made.status == 201)
    #expect(names(made.proxies) == ["one", "two"])
    #expect(made.proxies[0]["listen"] as? String == one)
    #expect(made.proxies[1]["listen"] as? String != two)
    #expect(try server.toxics("one").count == 1)
    #expect(try server.toxics("two").isEmpty)
    #expect(!NetServer.isUp(two))
    #expect(NetServer.isUp(made.proxies[1]["listen"]))
  }

  @Test("a proxy without a name or upstream has none of them made")
  func badName() throws {
    let made = try populate(proxy("one", "localhost:0"), #"{"name":"","listen":""}"#)
    #expect(made.status == 400)
    #expect(made.error == "missing required field: name at proxy 2")
    #expect(made.proxies.isEmpty)
    let other = try populate(#"{"name":"one"}"#)
    #expect(other.status == 400)
    #expect(other.error == "missing required field: upstream at proxy 1")
    #expect(try server.proxies().isEmpty)
    #expect(try server.ask("POST", "/populate", "{}").status == 400)
  }

  @Test("one that cannot listen ends it: those before it are there, it and those behind it are not")
  func badAddress() throws {
    let made = try populate(proxy("one", "localhost:0"), proxy("two", "local373"), proxy("three", "localhost:0"))
    #expect(made.status >= 400)
    #expect(made.error != nil)
    #expect(names(made.proxies) == ["one"])
    #expect(try server.proxies().keys.sorted() == ["one"])
  }
}
