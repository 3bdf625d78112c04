import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("Uploads by the IETF's draft") struct DraftUploadTests {
  let bench: QueueBench

  init() throws { bench = try QueueBench() }

  private func upload(_ peer: UploadPeer, _ path: String, chunk: Int64? = nil) async throws -> TransferRecord? {
    var transfer = Transfer(.resumable, peer.url, file: path)
    transfer.chunk = chunk
    let id = try bench.queue.add(transfer)
    try await bench.run()
    return try bench.queue.record(id)
  }

  @Test("a small file goes in one request", arguments: [6, 8], [0, 3000])
  func single(version: Int, size: Int) async throws {
    let peer = try UploadPeer(draft: version)
    let file = try bench.file(size)
    let record = try await upload(peer, file.path)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.requests.map(\.method) == ["OPTIONS", "POST"])
    let post = peer.requests.last?.headers ?? [:]
    #expect(post["upload-complete"] == "?1")
    #expect(post["upload-draft-interop-version"] == "8")
    #expect(post["upload-length"] == String(size))
    #expect(post["repr-digest"]?.hasPrefix("sha-256=:") == true)
  }

  @Test("a cut connection goes on at the server's offset: its address came with 104", arguments: [0, 1, 70_000])
  func cut(after bytes: Int) async throws {
    let script = FaultScript(["POST": [0: .cutBody(bytes)]])
    let peer = try UploadPeer(draft: 8) { script($0) }
    let file = try bench.file(200_000)
    let record = try await upload(peer, file.path)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.now.created == 1)
    #expect(peer.now.received == 200_000)
    let append = peer.requests.last { $0.method == "PATCH" }?.headers ?? [:]
    #expect(append["content-type"] == "application/partial-upload")
    #expect(append["upload-offset"] == String(bytes))
  }

  @Test("a large file's digest goes with the last bytes")
  func tail() async throws {
    let peer = try UploadPeer(draft: 8)
    let file = try bench.file(9 << 20)
    #expect(try await upload(peer, file.path)?.state == .done)
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(peer.requests.map(\.method) == ["OPTIONS", "POST", "PATCH"])
    #expect(peer.requests.last?.headers["repr-digest"] != nil)
  }

  @Test("chunks, a conflict among them")
  func chunks() async throws {
    let script = FaultScript(["PATCH": [0: .status(409)]])
    let peer = try UploadPeer(draft: 8) { script($0) }
    let file = try bench.file(100_000)
    #expect(try await upload(peer, file.path, chunk: 30_000)?.state == .done)
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    #expect(bench.log.retries.isEmpty)
  }

  @Test("a lost answer to the last bytes is found out by HEAD")
  func lostAnswer() async throws {
    let script = FaultScript(["POST": [0: .cutAnswer]])
    let peer = try UploadPeer(draft: 8) { script($0) }
    let file = try bench.file(1000)
    #expect(try await upload(peer, file.path)?.state == .done)
    #expect(peer.now.received == 1000)
  }

  @Test("numbers of structured dictionaries are read, and nothing else")
  func parameters() {
    #expect(DraftUpload.parameter("max-size", "max-size=100, min-size=1") == 100)
    #expect(DraftUpload.parameter("min-size", "max-size=100,min-size=1") == 1)
    #expect(DraftUpload.parameter("max-size", "max-size=-1, max-size") == nil)
    #expect(DraftUpload.parameter("max-size", "") == nil)
  }
}
