import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The memory of transfers", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
struct TransferMemoryTests {
  /// The most bytes that a process has had resident; nil once it is gone.
  private static func peak(_ process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  @Test("a file of 96 MB costs neither client nor server a third of that, in one request and in chunks")
  func flat() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(folder)
    let small = folder.path + "/small"
    let large = folder.path + "/large"
    try Data([1, 2, 3]).write(to: URL(filePath: small))
    try Data().write(to: URL(filePath: large))
    #expect(truncate(large, 96 << 20) == 0)
    /// Uploads a file; the most that the client had.
    func upload(_ file: String, _ chunk: [String]) async throws -> Int {
      let client = Process()
      client.executableURL = Command.products.appending(path: "TransferSubject")
      client.arguments =
        [folder.path + "/queue", "tus", server.ready.uploads, file, "\(file)\(chunk)"] + chunk
      client.environment = ["MPAAS_TOKEN": server.token]
      client.standardInput = FileHandle.nullDevice
      client.standardOutput = FileHandle.nullDevice
      let process = client
      try withNoSignalsBlocked { try process.run() }
      var most = 0
      while client.isRunning {
        most = max(most, Self.peak(client.processIdentifier) ?? 0)
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(client.terminationReason == .exit)
      #expect(client.terminationStatus == 0)
      return most
    }
    let usual = try await upload(small, [])
    let before = try #require(Self.peak(server.identifier))
    for chunk in [[], ["8388608"]] {
      let most = try await upload(large, chunk)
      #expect(most < usual + (32 << 20), "client: \(most), \(usual) with a small file")
    }
    let after = try #require(Self.peak(server.identifier))
    #expect(after < before + (32 << 20), "server: \(after), \(before) before")
    #expect(server.end() == 0)
  }
}
