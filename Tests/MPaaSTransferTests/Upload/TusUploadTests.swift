import Crypto
import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

/// Faults by the number of PATCH requests, or by the number of all.
final class FaultScript: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let faults: [String: [Int: UploadPeer.Fault]]

  init(_ faults: [String: [Int: UploadPeer.Fault]]) { self.faults = faults }

  func callAsFunction(_ request: UploadPeer.Request) -> UploadPeer.Fault? {
    let number = counts.withLock { counts in
      defer { counts[request.method, default: 0] += 1 }
      return counts[request.method, default: 0]
    }
    return faults[request.method]?[number]
  }
}

@Suite("Uploads by tus") struct TusUploadTests {
  let bench: QueueBench

  init() throws { bench = try QueueBench() }

  private func upload(
    _ peer: UploadPeer, _ path: String, _ change: (inout Transfer) -> Void = { _ in }
  ) async throws -> TransferRecord? {
    var transfer = Transfer(.tus, peer.url, file: path)
    change(&transfer)
    let id = try bench.queue.add(transfer)
    try await bench.run()
    return try bench.queue.record(id)
  }

  private func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
  }

  @Test("a file arrives whole, with its name and digest in the metadata", arguments: [0, 1, 70_000, 3_000_000])
  func whole(size: Int) async throws {
    let peer = try UploadPeer()
    let file = try bench.file(size)
    let record = try await upload(peer, file.path) { $0.metadata = ["kind": "log", "empty": ""] }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(record?.sha256 == digest(file.bytes))
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    let metadata = peer.complete.first?.metadata ?? ""
    #expect(metadata.contains("filename \(Data("file".utf8).base64EncodedString())"))
    #expect(metadata.contains("sha256 \(Data(digest(file.bytes).utf8).base64EncodedString())"))
    #expect(metadata.contains("empty,"))
    #expect(metadata.contains("kind bG9n"))
    #expect(record?.expires.map { $0 > 3_900_000_000 } == true)
  }

  @Test("the digest of a large file is computed while it is sent, and goes with the last bytes")
  func tail() async throws {
    let peer = try UploadPeer()
    let file = try bench.file(9 << 20)
    let record = try await upload(peer, file.path)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    let patches = peer.requests.filter { $0.method == "PATCH" }
    #expect(patches.count == 2)
    #expect(patches.last?.headers["content-length"] == "65536")
    #expect(
      patches.last?.headers["repr-digest"] == "sha-256=:\(Data(SHA256.hash(data: file.bytes)).base64EncodedString()):")
  }

  @Test("a small file goes with the request that makes the upload, where the server can take it")
  func creationWithUpload() async throws {
    let peer = try UploadPeer(extensions: "creation,creation-with-upload")
    let file = try bench.file(5000)
    #expect(try await upload(peer, file.path)?.state == .done)
    #expect(peer.requests.map(\.method) == ["OPTIONS", "POST"])
    #expect(peer.complete.map(\.bytes) == [file.bytes])
  }

  @Test("a cut connection costs nothing that had arrived", arguments: [0, 1, 65_536, 1_999_999])
  func cut(after bytes: Int) async throws {
    let script = FaultScript(["PATCH": [0: .cutBody(bytes)]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(2_000_000)
    let record = try await upload(peer, file.path)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.now.received == 2_000_000)
    #expect(peer.now.created == 1)
  }

  @Test("a lost answer is found out by HEAD; nothing is sent twice")
  func lostAnswer() async throws {
    let script = FaultScript(["PATCH": [0: .cutAnswer]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(100_000)
    #expect(try await upload(peer, file.path)?.state == .done)
    #expect(peer.now.received == 100_000)
    #expect(peer.requests.map(\.method).suffix(2) == ["PATCH", "HEAD"])
  }

  @Test("another offset (409) is asked for at once, without a pause")
  func conflict() async throws {
    let script = FaultScript(["PATCH": [1: .status(409)]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(100_000)
    #expect(try await upload(peer, file.path) { $0.chunk = 40_000 }?.state == .done)
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(bench.log.retries.isEmpty)
  }

  @Test("every chunk bears its checksum; one that was changed on the way goes again", arguments: ["sha1", "sha256"])
  func checksum(algorithm: String) async throws {
    let script = FaultScript(["PATCH": [1: .corrupt]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(100_000)
    let record = try await upload(peer, file.path) { transfer in
      transfer.checksum = algorithm
      transfer.chunk = 30_000
    }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.requests.filter { $0.method == "PATCH" }.count == 5)
    #expect(bench.log.retries.isEmpty)
  }

  @Test("an upload that the server forgot is begun again")
  func forgotten() async throws {
    let script = FaultScript(["PATCH": [1: .forget]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(100_000)
    #expect(try await upload(peer, file.path) { $0.chunk = 40_000 }?.state == .done)
    #expect(peer.now.created == 2)
    #expect(peer.complete.map(\.bytes) == [file.bytes])
  }

  @Test("what the server holds corrupt is begun again: its digest says so")
  func corrupt() async throws {
    let script = FaultScript(["PATCH": [0: .corrupt]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file((8 << 20) + 100_000)
    let record = try await upload(peer, file.path)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.now.created == 2)
  }

  @Test("a file that the server finds too large fails at once, with its limit")
  func oversize() async throws {
    let script = FaultScript(["POST": [0: .status(413, ["Tus-Max-Size: 1000"])]])
    let peer = try UploadPeer { script($0) }
    let record = try await upload(peer, try bench.file(5000).path)
    #expect(record?.state == .failed)
    #expect(record?.error == "transfer-oversize")
    #expect(peer.now.received == 0)
  }

  @Test("parts go at the same time and are joined", arguments: [2, 5])
  func parts(count: Int) async throws {
    let script = FaultScript(["PATCH": [1: .cutBody(1000)]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(1_000_003)
    let record = try await upload(peer, file.path) { $0.parts = count }
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.now.received == 1_000_003)
    #expect(peer.now.created == count + 1)
  }

  @Test("a file that changed since it was added is not sent")
  func changed() async throws {
    let peer = try UploadPeer()
    let file = try bench.file(5000)
    let id = try bench.queue.add(Transfer(.tus, peer.url, file: file.path))
    try Data([1, 2, 3]).write(to: URL(filePath: file.path))
    try await bench.run()
    #expect(try bench.queue.record(id)?.error == "transfer-file-changed")
    #expect(peer.requests.isEmpty)
  }

  @Test("a cancelled upload is removed from the server by the next run")
  func termination() async throws {
    let script = FaultScript(["PATCH": [0: .cutBody(10)]])
    let peer = try UploadPeer { script($0) }
    let file = try bench.file(5000)
    let id = try bench.queue.add(Transfer(.tus, peer.url, file: file.path))
    try await bench.run(.none)
    #expect(peer.now.uploads.count == 1)
    try bench.queue.cancel(id)
    try await bench.run()
    #expect(peer.now.uploads.isEmpty)
    #expect(try bench.queue.record(id)?.state == .cancelled)
  }
}
