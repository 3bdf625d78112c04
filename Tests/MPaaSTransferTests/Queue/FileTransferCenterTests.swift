import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

@Suite("The file transfer center") struct FileTransferCenterTests {
  let bench: QueueBench

  init() throws { bench = try QueueBench() }

  private enum End: Sendable, Equatable {
    case success(Int64)
    case failure(String)
  }

  private func upload(_ center: FileTransferCenter, _ url: String, _ file: String, tag: String) async throws -> End {
    try await withCheckedThrowingContinuation { continuation in
      do throws(TransferError) {
        try center.uploadFile(
          file, to: url, taskTag: tag, success: { continuation.resume(returning: .success($0.moved)) },
          failure: { word, _ in continuation.resume(returning: .failure(word)) })
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  @Test("progress, then success, each task by its tag")
  func success() async throws {
    let peer = try UploadPeer()
    let center = FileTransferCenter(bench.queue)
    let file = try bench.file(100_000)
    #expect(try await upload(center, peer.url, file.path, tag: "a") == .success(100_000))
    #expect(try center.record(taskTag: "a")?.state == .done)
    #expect(peer.complete.map(\.bytes) == [file.bytes])
    await center.stop()
  }

  @Test("a refusal is told as failure, with its word")
  func failure() async throws {
    let peer = try UploadPeer { _ in .status(403) }
    let center = FileTransferCenter(bench.queue)
    #expect(try await upload(center, peer.url, try bench.file(10).path, tag: "a") == .failure("server-refused"))
    await center.stop()
  }

  @Test("what another center began is moved by `start`; the same tag joins it")
  func restart() async throws {
    let peer = try UploadPeer()
    let file = try bench.file(1000)
    let id = try bench.queue.add(Transfer(.tus, peer.url, file: file.path, tag: "a"))
    let center = FileTransferCenter(try bench.reopened())
    #expect(try await upload(center, peer.url, file.path, tag: "a") == .success(1000))
    #expect(try bench.queue.records().map(\.id) == [id])
    await center.stop()
  }

  @Test("a cancelled task is told so")
  func cancellation() async throws {
    let peer = try UploadPeer()
    let center = FileTransferCenter(bench.queue, device: { DeviceState(network: .none) })
    let file = try bench.file(1000)
    async let end = upload(center, peer.url, file.path, tag: "a")
    while try center.record(taskTag: "a") == nil { await Task.yield() }
    try center.cancel(taskTag: "a")
    #expect(try await end == .failure("transfer-cancelled"))
    await center.stop()
  }
}
