import Foundation
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@Suite("A kit over a bad network") struct KitNetworkTests {
  /// Serves the repository of a sample; `steps` may answer in another way.
  static func server(
    of sample: SampleKit,
    _ steps: @escaping @Sendable (ScriptedServer.Request, [UInt8]) -> [ScriptedServer.Step]?
  ) throws -> ScriptedServer {
    let folder = sample.repository
    return try ScriptedServer { request in
      let path = PercentEncoding.decode(request.path) ?? request.path
      guard let body = try? Bytes.reading(folder + path).array else { return [ScriptedServer.answer("404 Not Found")] }
      return steps(request, body) ?? [ScriptedServer.file(body, to: request)]
    }
  }

  @Test("keeps its version when the download is cut, and the next update goes on with what came")
  func cut() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0", isSmall: false)
    let cutting = try Self.server(of: sample) { request, body in
      guard request.path.hasSuffix(".tar.zst") else { return nil }
      let half = Array(body[..<(body.count / 2)])
      return [ScriptedServer.answer("200 OK", ["ETag: \"v1\""], body: half, length: body.count), .close]
    }
    var updater = sample.updater()
    updater.urls = [cutting.url]
    #expect(throws: KitUpdateError.self) { try updater.update() }
    try sample.expectWhole("0.2.0")
    let whole = try Self.server(of: sample) { _, _ in nil }
    updater.urls = [whole.url]
    #expect(try updater.update().after == "0.3.0")
    try sample.expectWhole("0.3.0")
    let starts = whole.requests.filter { $0.path.hasSuffix(".tar.zst") }.map { $0.start ?? 0 }
    #expect(starts.first ?? 0 > 0, "\(starts)")
  }

  @Test("keeps its version when a proxy answers in the server's place, or nothing does")
  func proxies() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    for status in ["502 Bad Gateway", "407 Proxy Authentication Required", "200 OK"] {
      let page = Array("<html>Please log in</html>".utf8)
      let proxy = try Self.server(of: sample) { _, _ in [ScriptedServer.answer(status, body: page)] }
      var updater = sample.updater()
      updater.urls = [proxy.url]
      #expect(throws: KitUpdateError.self, "\(status)") { try updater.update() }
      try sample.expectWhole("0.2.0")
    }
    var updater = sample.updater()
    updater.urls = ["http://127.0.0.1:1"]
    #expect(throws: KitUpdateError.self) { try updater.update() }
    try sample.expectWhole("0.2.0")
    updater.urls.append(sample.repository)
    #expect(try updater.update().after == "0.3.0")
  }
}
