import MPaaSAppServices
import MPaaSLock
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@Suite("The configuration service") struct ConfigurationServiceTests {
  static let state =
    #"{"features":[{"name":"on","enabled":true},{"name":"off","enabled":false},{"name":"text","enabled":true,"variants":"#
    + #"[{"name":"v","weight":1,"payload":{"type":"number","value":"1.0"}}]},{"name":"plain","enabled":true,"variants":"#
    + #"[{"name":"v","weight":1}]}]}"#

  @Test("fetches at the start, posts the notification each time, and gives payloads or whether a flag is on")
  func values() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: Self.state))
    let posted = Lock<[String]>([])
    let service = ConfigurationService(samples.client()) { name in posted.withLock { $0.append(name) } }
    #expect(service.stringValue(forKey: "on") == nil)
    await service.start()
    await service.start()
    await eventually { posted.withLock { !$0.isEmpty } }
    #expect(posted.withLock { $0 } == ["MPConfigServiceDidFetchedFromServerNotification"])
    let keys = ["on", "off", "text", "plain", "nowhere"]
    #expect(keys.map { service.stringValue(forKey: $0) } == ["true", "false", "1.0", "true", nil])
    #expect(service.boolValue(forKey: "on") && !service.boolValue(forKey: "nowhere"))
    #expect(service.doubleValue(forKey: "text") == 1 && service.integerValue(forKey: "text") == nil)
    samples.server.serve(Self.state, etag: "\"2\"")
    var fetches = service.fetches.makeAsyncIterator()
    try await service.client.refresh()
    #expect(await fetches.next() == .fetched)
    await eventually { posted.withLock { $0.count == 2 } }
    #expect(posted.withLock { $0.count } == 2)
    await service.client.stop()
  }

  @Test("works over HTTP: questions, a stream, and its end")
  func http() async throws {
    let server = try ScriptedServer { request in
      func answer(_ status: String, _ fields: String, _ body: String) -> [ScriptedServer.Step] {
        [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)".utf8))]
      }
      if request.path == "/api/client/streaming" {
        let event = "event: unleash-connected\ndata: \(FlagSamples.hydration(["streamed": true]))\n\n"
        return [
          .send(Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(event)".utf8)), .stall(seconds: 60),
        ]
      }
      if request.head.contains("If-None-Match: \"7\"") { return answer("304 Not Modified", "", "") }
      if request.path == "/api/client/features" { return answer("200 OK", "ETag: \"7\"\r\n", Self.state) }
      return answer("202 Accepted", "", "")
    }
    let folder = try TemporaryFolder()
    var configuration = FlagConfiguration(url: server.url + "/api", appName: "shop", folder: folder.path + "/flags")
    let polling = FlagClient(configuration)
    try await polling.refresh()
    try await polling.refresh()
    #expect(polling.isEnabled("on"))
    await polling.flush()
    configuration.updates = .streaming
    let streaming = FlagClient(configuration)
    await streaming.start()
    await eventually { streaming.isEnabled("streamed") }
    #expect(streaming.isEnabled("streamed"))
    await streaming.stop()
    #expect(server.requests.count { $0.path == "/api/client/features" } == 2)
    #expect(server.requests.contains { $0.head.contains("If-None-Match: \"7\"") })
  }
}
