import Foundation
import MPaaSObjectStoreTestSupport
import MPaaSProtocol
import MPaaSTestSupport

@testable import MPaaSServer

/// The server's program as a process of its own, to be killed.
final class ServerProcess {
  let ready: ServerReady
  /// The token that the first start in the folder told.
  let token: String
  private let process = Process()

  /// - Parameter descriptors: How many files it may have open; nil leaves that to the system.
  init(
    _ folder: TemporaryFolder, descriptors: Int? = nil, _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = ServerConfiguration(data: folder.path + "/data", listen: "127.0.0.1:0")
    configuration.json = true
    configuration.limits.idle = TestServer.patience
    configure(&configuration)
    try configuration.takeTestDatabase(folder)
    configuration.takeTestBlobs()
    process.environment = ProcessInfo.processInfo.environment.merging(BucketDouble.environment) { $1 }
    process.executableURL = Command.server
    process.arguments = ["--configuration", String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)]
    if let descriptors, let program = process.executableURL?.path, let arguments = process.arguments {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", program] + arguments
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let process = process
    try withNoSignalsBlocked { try process.run() }
    var line = Data()
    while line.last != 10, let next = try pipe.fileHandleForReading.read(upToCount: 1), !next.isEmpty { line += next }
    ready = try JSONDecoder().decode(ServerReady.self, from: line)
    let kept = URL(filePath: folder.path + "/token")
    if let told = ready.token { try Data(told.utf8).write(to: kept) }
    token = String(decoding: try Data(contentsOf: kept), as: UTF8.self)
  }

  var identifier: Int32 { process.processIdentifier }
  var port: UInt16 { UInt16(ready.url.split(separator: ":").last ?? "") ?? 0 }

  /// Sends a signal and waits for the end.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until it ends by itself; gives its status.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { end(SIGKILL) } }

  /// One request of tus on a connection of its own.
  func tus(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> TestAnswer {
    try await TestConnection(port).exchange(head(method, path, headers, body.count) + body, isHead: method == "HEAD")
  }

  func head(_ method: String, _ path: String, _ headers: [String: String], _ length: Int) -> [UInt8] {
    var lines = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)",
      "Tus-Resumable: 1.0.0", "Connection: close", "Content-Length: \(length)",
    ]
    if method == "PATCH" { lines.append("Content-Type: application/offset+octet-stream") }
    lines += headers.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
