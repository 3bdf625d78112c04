import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTransfer

@Suite("Uploads whose answers are cut") struct CutAnswerTests {
  /// The part of an answer's head that comes: nothing, in its version, its status, its line end, a header's name and
  /// value, all but the empty line, all but its last byte.
  static let places = [0, 4, 10, 14, 16, 25, 34, -3, -2, -1]

  private func upload(_ method: Transfer.Method, _ peer: UploadPeer, size: Int = 100_000) async throws -> (
    record: TransferRecord?, bytes: [UInt8]
  ) {
    let bench = try QueueBench()
    let file = try bench.file(size)
    var transfer = Transfer(method, peer.url, file: file.path)
    transfer.chunk = 40_000
    let id = try bench.queue.add(transfer)
    try await bench.run()
    return (try bench.queue.record(id), file.bytes)
  }

  @Test(
    "tus: the answer to a request of each kind, cut anywhere, costs no byte and makes no second file",
    arguments: ["OPTIONS", "POST", "PATCH"], places)
  func tus(method: String, place: Int) async throws {
    let script = FaultScript([method: [0: .partAnswer(place)], "HEAD": [0: .partAnswer(place)]])
    let peer = try UploadPeer { script($0) }
    let (record, bytes) = try await upload(.tus, peer)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.holds(bytes))
    #expect(peer.now.received == bytes.count)
    // The upload whose answer was lost has no bytes; the server gives it up in its time.
    #expect(peer.now.created <= (method == "POST" ? 2 : 1))
  }

  @Test("the draft: an answer that is cut anywhere costs no byte", arguments: ["POST", "PATCH"], places)
  func draft(method: String, place: Int) async throws {
    let script = FaultScript([method: [0: .partAnswer(place)], "HEAD": [0: .partAnswer(place)]])
    let peer = try UploadPeer(draft: 8) { script($0) }
    let (record, bytes) = try await upload(.resumable, peer)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.holds(bytes))
    #expect(peer.now.received == bytes.count)
    #expect(peer.now.created == 1)
  }

  @Test("PUT: an answer that is cut anywhere is asked for again, and the file is there once", arguments: places)
  func put(place: Int) async throws {
    let script = FaultScript(["PUT": [0: .partAnswer(place)]])
    let peer = try UploadPeer { script($0) }
    let (record, bytes) = try await upload(.put, peer)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.holds(bytes))
    #expect(peer.now.received <= 2 * bytes.count)
  }

  @Test("a connection that is cut while the request's head goes out is made anew")
  func resets() async throws {
    let script = FaultScript([
      "OPTIONS": [0: .reset], "POST": [0: .reset], "PATCH": [0: .reset, 2: .reset], "HEAD": [0: .reset, 1: .reset],
    ])
    let peer = try UploadPeer { script($0) }
    let (record, bytes) = try await upload(.tus, peer)
    #expect(record?.state == .done, "\(record?.error ?? "") \(record?.reason ?? "")")
    #expect(peer.holds(bytes))
    #expect(peer.now.created == 1)
  }
}

extension UploadPeer {
  /// Tells whether one whole upload stands there, of these bytes.
  fileprivate func holds(_ bytes: [UInt8]) -> Bool { complete.map(\.bytes) == [bytes] }
}
