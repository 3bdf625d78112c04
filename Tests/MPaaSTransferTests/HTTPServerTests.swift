import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransferTools
import Synchronization
import Testing

@testable import MPaaSHTTPServer
@testable import MPaaSTransfer

@Suite("The HTTP server") struct HTTPServerTests {
  let folder: TemporaryFolder
  let client = HTTPClient.live(userAgent: "mpaas-tests/1")

  init() throws {
    folder = try TemporaryFolder()
    try Data(HTTPClientTests.body).write(to: folder.url.appending(path: "file"))
  }

  private func server() throws -> HTTPServer {
    let file = folder.path + "/file"
    return try HTTPServer(listen: "127.0.0.1:0") { path in
      switch path {
      case "/file": HTTPAnswer(200, body: .file(path: file, offset: 0, size: 100_000))
      case "/part": HTTPAnswer(200, body: .file(path: file, offset: 10, size: 20))
      case "/a b": HTTPAnswer(200, headers: [("X-Name", "space")], body: .bytes([1, 2, 3]))
      default: HTTPAnswer(404, text: "not found\n")
      }
    }
  }

  private func get(_ url: String, headers: [(name: String, value: String)] = []) throws -> (HTTPResponse, Data) {
    let target = folder.path + "/got-\(UUID().uuidString)"
    let response = try client.download(HTTPDownload(HTTPRequest(url, headers: headers), to: target))
    return (response, try Data(contentsOf: URL(filePath: target)))
  }

  @Test("files, parts of files and bytes arrive as they are")
  func answers() throws {
    let server = try server()
    #expect(try get(server.url + "/file").1 == Data(HTTPClientTests.body))
    #expect(try get(server.url + "/part").1 == Data(HTTPClientTests.body[10..<30]))
    let (response, bytes) = try get(server.url + "/a%20b")
    #expect(bytes == Data([1, 2, 3]))
    #expect(response.headers["x-name"] == "space")
    #expect(throws: HTTPError.self) { try get(server.url + "/none") }
  }

  @Test("a byte range is answered with that part")
  func ranges() throws {
    let server = try server()
    let (response, bytes) = try get(server.url + "/file", headers: [("Range", "bytes=100-199")])
    #expect(response.status == 206)
    #expect(response.headers["content-range"] == "bytes 100-199/100000")
    #expect(bytes == Data(HTTPClientTests.body[100..<200]))
    #expect(ByteRange("bytes=-5", of: 100).map { [$0.start, $0.count] } == [95, 5])
    #expect(ByteRange("bytes=90-", of: 100).map { [$0.start, $0.count] } == [90, 10])
    #expect(ByteRange("bytes=90-500", of: 100)?.count == 10)
    #expect(ByteRange("bytes=100-", of: 100)?.isEmpty == true)
    for text in ["bytes=5-1", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=-"] {
      #expect(ByteRange(text, of: 100) == nil)
    }
  }

  @Test("many connections are answered at once")
  func concurrency() async throws {
    let server = try server()
    let url = server.url + "/file"
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try get(url).1.count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes == Array(repeating: 100_000, count: 8))
  }

  @Test("an address that is taken or none is refused with a diagnostic")
  func addresses() throws {
    let server = try server()
    let error = #expect(throws: HTTPServerError.self) {
      try HTTPServer(listen: "127.0.0.1:\(server.port)") { _ in HTTPAnswer(200, text: "") }
    }
    #expect(error?.diagnostic.id == "listen-failed")
    #expect(error?.diagnostic.exit == .cannotCreate)
    for address in ["127.0.0.1", "nowhere", ":80", "::1:80", "127.0.0.1:99999", "127.0.0.1:x"] {
      #expect(throws: HTTPServerError.badAddress(address)) {
        try HTTPServer(listen: address) { _ in HTTPAnswer(200, text: "") }
      }
    }
    #expect(HTTPServer.parts(of: "[::1]:80").map { [$0.host, $0.port] } == ["::1", "80"])
  }
}
