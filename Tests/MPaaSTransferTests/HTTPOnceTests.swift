import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("A body over a connection that was used before") struct HTTPOnceTests {
  @Test("is not sent again by itself where it may be sent once", arguments: [true, false])
  func once(isSentOnce: Bool) throws {
    let server = try ScriptedServer { request in
      request.number == 1 ? [.stall(seconds: 0.2), .close] : [ScriptedServer.answer("200 OK")]
    }
    let client = HTTPClient.live(userAgent: "mpaas-tests/1")
    func post() throws -> Int {
      var call = HTTPCall("POST", server.url + "/a", body: [.bytes(Bytes(Array("{}".utf8)))])
      call.expectation = .milliseconds(1)
      call.isSentOnce = isSentOnce
      return try client.exchange(call).status
    }
    #expect(try post() == 200)
    if isSentOnce {
      #expect(throws: HTTPError.self) { try post() }
    } else {
      #expect(try post() == 200)
    }
    #expect(server.requests.count == (isSentOnce ? 2 : 3))
  }
}
