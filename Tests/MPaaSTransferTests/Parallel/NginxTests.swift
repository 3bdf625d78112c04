import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

/// nginx in a folder of its own, over TLS with HTTP/2.
private final class Nginx {
  private(set) var port = 0
  let folder: TemporaryFolder
  private var process = Process()

  init() throws {
    folder = try TemporaryFolder()
    let made = try Command.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key", "-out",
        certificate, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
      ], directory: folder.url)
    #expect(made.status == 0, "\(made.errors)")
    try FileManager.default.createDirectory(at: folder.url.appending(path: "files"), withIntermediateDirectories: true)
    // Its worker may run as somebody else.
    chmod(folder.path, 0o755)
    // It ends where another program has the port.
    for _ in 0..<10 where !process.isRunning {
      port = Int.random(in: 32_000..<60_000)
      try start()
      while process.isRunning, !isListening { usleep(10_000) }
    }
    try #require(process.isRunning)
  }

  private func start() throws {
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log error.log;
      events {}
      http {
        log_format short '$connection $status $server_protocol $request_uri $body_bytes_sent';
        access_log access.log short;
        client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate certificate; ssl_certificate_key key;
          root files;
        }
      }
      """
    try configuration.write(toFile: folder.path + "/nginx.conf", atomically: true, encoding: .utf8)
    process = Process()
    process.executableURL = URL(filePath: try #require(Command.find("nginx")))
    process.arguments = ["-p", folder.path, "-c", "nginx.conf"]
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
  }

  /// Tells whether the port takes connections; nginx says so by its file of its process, which it writes once it listens.
  private var isListening: Bool { FileManager.default.fileExists(atPath: folder.path + "/nginx.pid") }

  var certificate: String { folder.path + "/certificate" }
  var url: String { "https://127.0.0.1:\(port)" }
  /// Words of each request: connection, status, protocol, path, bytes.
  var requests: [[Substring]] {
    ((try? String(contentsOfFile: folder.path + "/access.log", encoding: .utf8)) ?? "")
      .split(separator: "\n").map { $0.split(separator: " ") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}

@Suite("Downloads from nginx") struct NginxTests {
  @Test("over HTTP/2 many files share a connection, and one goes on where it was", .tool("nginx"), .tool("openssl"))
  func multiplexed() async throws {
    let server = try Nginx()
    let folder = try TemporaryFolder()
    var jobs: [DownloadJob] = []
    for number in 0..<40 {
      let bytes = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) })
      try bytes.write(to: server.folder.url.appending(path: "files/\(number)"))
      let path = "\(folder.path)/\(number)"
      jobs.append(
        DownloadJob(["\(server.url)/\(number)"], to: path, partial: path + ".partial", size: UInt64(bytes.count)) {
          (try? Data(contentsOf: URL(filePath: $0))) == bytes
        })
      if number == 7 { try bytes.prefix(30_000).write(to: URL(filePath: path + ".partial")) }
    }
    let downloads = ParallelDownloads(userAgent: "mpaas-tests/1", certificates: server.certificate)
    let results = await downloads.run(jobs)
    for result in results { #expect(throws: Never.self) { try result.get() } }
    // Those that the server took while it started are refused connections, and leave no line.
    let requests = server.requests
    #expect(requests.count == 40)
    #expect(Set(requests.map { $0[2] }) == ["HTTP/2.0"])
    #expect(Set(requests.map { $0[0] }).count == 1)
    #expect(requests.first { $0[3] == "/7" }.map { [$0[1], $0[4]] } == ["206", "20000"])
    let distrusting = await ParallelDownloads(userAgent: "mpaas-tests/1").run([jobs[0]])[0]
    #expect(distrusting.failure?.code == .notTrusted)
  }
}
