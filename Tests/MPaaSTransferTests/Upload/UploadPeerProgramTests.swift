import Crypto
import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

/// A program that a test runs until its end, and may kill.
final class Running {
  let process = Process()

  init(_ program: String, _ arguments: [String], in folder: URL? = nil) throws {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { if process.isRunning { kill() } }
}

@Suite("Uploads by a process that is killed") struct KilledUploadTests {
  @Test("killed at any moment it resumes: one upload, the same bytes, none sent again but those on their way")
  func killed() async throws {
    let bench = try QueueBench()
    var random = SeededRandom(seed: 11)
    let subject = Command.products.appending(path: "TransferSubject").path
    for round in 0..<SeededRandom.rounds(or: 4) {
      let peer = try UploadPeer()
      let file = try bench.file(4_000_000, seed: UInt64(round), name: "file\(round)")
      let queue = bench.folder.path + "/killed\(round)"
      let words = [queue, "tus", peer.url, file.path, "batch", "500000"]
      let limit = Int.random(in: 0..<4_000_000, using: &random)
      let first = try Running(subject, words)
      while peer.now.received < limit, first.process.isRunning { usleep(500) }
      first.kill()
      let outcome = try Command.run(subject, words, environment: ["no_proxy": "127.0.0.1"])
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
      #expect(peer.complete.map(\.bytes) == [file.bytes])
      #expect(peer.now.received <= 4_000_000 + 500_000, "\(peer.now.received)")
      #expect(peer.now.created <= 2)
      let digest = SHA256.hash(data: file.bytes).map { String(format: "%02x", $0) }.joined()
      #expect(outcome.output.hasPrefix("done \(digest)"))
    }
  }
}

@Suite("Uploads to resumable-upload of PyPI") struct PythonTusTests {
  private static let hasServer: Bool = {
    let outcome = try? Command.run(Fixture.python, ["-c", "import resumable_upload"])
    return outcome?.status == 0
  }()

  @Test(
    "whole, in chunks with checksums, in parts", .pythonPeers,
    .enabled(if: hasServer, "resumable-upload is not installed: run scripts/bootstrap --peers"))
  func peers() async throws {
    let bench = try QueueBench()
    let port = Int.random(in: 20_000..<32_000)
    try FileManager.default.createDirectory(
      at: bench.folder.url.appending(path: "up"), withIntermediateDirectories: true)
    let server = try Running(
      Fixture.python,
      ["-m", "resumable_upload", "serve", "--host", "127.0.0.1", "--port", String(port), "--upload-dir", "up"],
      in: bench.folder.url)
    let url = "http://127.0.0.1:\(port)/files"
    let client = HTTPClient.live(userAgent: "mpaas-tests/1")
    for _ in 0..<200 {
      if (try? client.exchange(HTTPCall("OPTIONS", url))) != nil { break }
      usleep(50_000)
    }
    let file = try bench.file(2_500_000)
    let ways: [(chunk: Int64?, checksum: String?, parts: Int)] = [
      (nil, nil, 1), (1_000_000, "sha1", 1), (400_000, "sha1", 1), (nil, nil, 3),
    ]
    for (chunk, checksum, parts) in ways {
      var transfer = Transfer(.tus, url, file: file.path)
      transfer.chunk = chunk
      transfer.checksum = checksum
      transfer.parts = parts
      let id = try bench.queue.add(transfer)
      try await bench.run()
      let record = try bench.queue.record(id)
      #expect(record?.state == .done, "\(parts) \(record?.error ?? "") \(record?.reason ?? "")")
      let name = try #require(record?.location?.split(separator: "/").last.map(String.init))
      #expect(try Data(contentsOf: bench.folder.url.appending(path: "up/\(name)")) == Data(file.bytes))
    }
    withExtendedLifetime(server) {}
  }
}
