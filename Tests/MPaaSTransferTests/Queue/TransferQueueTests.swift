import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSTransfer

@Suite("The queue of transfers") struct TransferQueueTests {
  let bench: QueueBench

  init() throws { bench = try QueueBench() }

  private func add(_ peer: UploadPeer, _ name: String = "file", _ change: (inout Transfer) -> Void = { _ in }) throws
    -> TransferID
  {
    var transfer = Transfer(.put, peer.url + "/" + name, file: try bench.file(1000, name: name).path)
    change(&transfer)
    return try bench.queue.add(transfer)
  }

  @Test("the same batch is in the queue once, also after it is done and after a restart")
  func batch() async throws {
    let peer = try UploadPeer()
    let first = try add(peer) { $0.batch = "b1" }
    #expect(try add(peer, "other") { $0.batch = "b1" } == first)
    try await bench.run()
    #expect(try bench.queue.record(first)?.state == .done)
    let again = try bench.reopened()
    var transfer = Transfer(.put, peer.url, file: "/nowhere")
    transfer.batch = "b1"
    #expect(try again.add(transfer) == first)
    #expect(peer.requests.count == 1)
  }

  @Test("higher priorities go first, older ones of the same before newer ones")
  func priorities() async throws {
    let peer = try UploadPeer()
    let queue = try bench.reopened { $0.parallel = 1 }
    _ = try add(peer, "a")
    _ = try add(peer, "b") { $0.priority = 5 }
    let last = try add(peer, "c")
    _ = try add(peer, "d") { $0.priority = 5 }
    try queue.setPriority(9, of: last)
    try await queue.run()
    #expect(peer.requests.map(\.path) == ["/files/c", "/files/b", "/files/d", "/files/a"])
  }

  @Test(
    "in a storm pauses grow from one second to sixty, and after ten failures it rests; nothing is lost",
    arguments: [UploadPeer.Fault.status(503, []), .status(429), .reset, .cutAnswer, .partAnswer(9)])
  func backoff(fault: UploadPeer.Fault) async throws {
    let peer = try UploadPeer { $0.number < 13 ? fault : nil }
    let id = try add(peer)
    try await bench.run()
    #expect(bench.log.retries == [1, 2, 4, 8, 16, 32, 60, 60, 60, 600, 60, 60, 60])
    #expect(try bench.queue.record(id)?.state == .done)
    #expect(try bench.queue.record(id)?.attempts == 13)
  }

  @Test("Retry-After comes before all", arguments: [429, 503])
  func retryAfter(status: Int) async throws {
    let peer = try UploadPeer { $0.number == 0 ? .status(status, ["Retry-After: 77"]) : nil }
    _ = try add(peer)
    try await bench.run()
    #expect(bench.log.retries == [77])
  }

  @Test("what the server refuses is not tried again", arguments: [400, 401, 403, 404, 413])
  func refusals(status: Int) async throws {
    let peer = try UploadPeer { _ in .status(status) }
    let id = try add(peer)
    let summary = try await bench.run()
    #expect(summary.failed == [id])
    #expect(peer.requests.count == 1)
    #expect(try bench.queue.record(id)?.error == (status == 413 ? "transfer-oversize" : "server-refused"))
  }

  @Test("a transfer for Wi-Fi only waits elsewhere, and goes when it is there")
  func wifi() async throws {
    let peer = try UploadPeer()
    let id = try add(peer) { $0.network = .wifi }
    let summary = try await bench.run(device: { DeviceState(network: .cellular) })
    #expect(summary.waiting == [id: .wifi])
    #expect(peer.requests.isEmpty)
    #expect(bench.log.all == [.waiting(id, .wifi)])
    #expect(try await bench.run().done == [id])
  }

  @Test("Wi-Fi that goes stops the transfer; on Wi-Fi it goes on from there")
  func wifiGoes() async throws {
    let peer = try UploadPeer()
    let file = try bench.file(3_000_000)
    var transfer = Transfer(.tus, peer.url, file: file.path)
    transfer.network = .wifi
    transfer.chunk = 100_000
    let id = try bench.queue.add(transfer)
    let summary = try await bench.run(device: {
      DeviceState(network: peer.now.received > 500_000 ? .cellular : .wifi)
    })
    #expect(summary.waiting == [id: .wifi])
    #expect(try bench.queue.record(id)?.state == .waiting)
    #expect(peer.now.received < 3_000_000)
    try await bench.run()
    #expect(peer.complete.map(\.bytes) == [file.bytes])
  }

  @Test("battery, no network, and the day's quota hold transfers back")
  func rules() async throws {
    let peer = try UploadPeer()
    let id = try add(peer) { $0.leastBattery = 0.2 }
    let low = DeviceState(network: .wifi, battery: 0.1, isCharging: false)
    #expect(try await bench.run(device: { low }).waiting == [id: .battery])
    #expect(try await bench.run(device: { DeviceState(network: .none) }).waiting == [id: .network])
    let queue = try bench.reopened { $0.cellularQuota = 2000 }
    let cellular = DeviceState(network: .cellular)
    #expect(try await queue.run(device: { cellular }).done == [id])
    let second = try add(peer, "b")
    #expect(try await queue.run(device: { cellular }).done == [second])
    let third = try add(peer, "c")
    #expect(try await queue.run(device: { cellular }).waiting == [third: .quota])
    bench.clock.setWall(by: 86400)
    #expect(try await queue.run(device: { cellular }).done == [third])
  }

  @Test("a deadline that passes fails the transfer")
  func deadline() async throws {
    let peer = try UploadPeer { _ in .status(503) }
    let id = try add(peer) { $0.deadline = 1_800_000_005 }
    try await bench.run()
    #expect(try bench.queue.record(id)?.state == .failed)
    #expect(try bench.queue.record(id)?.error == "transfer-deadline-passed")
    #expect(bench.log.retries == [1, 2, 4])
  }

  @Test("a clock that is set back a day does not make a pause a day longer; one set forward ends it")
  func clockJumps() async throws {
    let peer = try UploadPeer { $0.number < 2 ? .status(503) : nil }
    let id = try add(peer)
    #expect(try await bench.run(.none).waiting == [id: .retry])
    bench.clock.setWall(by: -86400)
    #expect(try await bench.run(.none).waiting == [id: .retry])
    #expect(peer.requests.count == 2)
    bench.clock.setWall(by: 2 * 86400)
    #expect(try await bench.run(.none).done == [id])
  }

  @Test("paused it does not go; resumed it does, also after it failed")
  func pauses() async throws {
    let peer = try UploadPeer { $0.number == 0 ? .status(400) : nil }
    let id = try add(peer)
    try bench.queue.pause(id)
    #expect(try await bench.run() == TransferSummary())
    try bench.queue.resume(id)
    try await bench.run()
    #expect(try bench.queue.record(id)?.state == .failed)
    try bench.queue.resume(id)
    try await bench.run()
    #expect(try bench.queue.record(id)?.state == .done)
    #expect(throws: TransferError(.unknown, ["id": "99"])) { try bench.queue.pause(TransferID(rawValue: 99)) }
  }

  @Test("tokens go with the requests and stand in no file")
  func secrets() async throws {
    let peer = try UploadPeer()
    let queue = try bench.reopened { $0.headers = { _ in ["Authorization": "Bearer s3cret-t0ken"] } }
    let id = try add(peer)
    try await queue.run()
    #expect(peer.requests.first?.headers["authorization"] == "Bearer s3cret-t0ken")
    #expect(try queue.record(id)?.state == .done)
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.folder.path) {
      let data = (try? Data(contentsOf: bench.folder.url.appending(path: name))) ?? Data()
      #expect(data.range(of: Data("s3cret-t0ken".utf8)) == nil, "\(name)")
    }
  }

  @Test("a transfer that another process has in hand is left to it")
  func claims() async throws {
    let peer = try UploadPeer()
    let id = try add(peer)
    let claim = TransferClaim.take(id, in: bench.queue.path + ".hands")
    #expect(claim != nil)
    #expect(try await bench.run().waiting == [id: .elsewhere])
    #expect(throws: TransferError.self) { try bench.queue.remove(id) }
    withExtendedLifetime(claim) {}
  }

  @Test("a POST has the file as its body, and its digest; what arrived otherwise goes again")
  func post() async throws {
    let peer = try UploadPeer { $0.number == 0 ? .status(460) : nil }
    let file = try bench.file(5000)
    var transfer = Transfer(.post, peer.url + "/x", file: file.path)
    transfer.sha256 = String(try FileDigest.of(file.path).hexadecimal)
    let id = try bench.queue.add(transfer)
    try await bench.run()
    #expect(try bench.queue.record(id)?.state == .done)
    #expect(peer.requests.map(\.method) == ["POST", "POST"])
    #expect(peer.now.bodies.last == file.bytes)
    #expect(peer.requests.allSatisfy { $0.headers["repr-digest"]?.hasPrefix("sha-256=:") == true })
    let other = try UploadPeer { _ in .status(460) }
    transfer.url = other.url + "/x"
    let refused = try bench.queue.add(transfer)
    try await bench.run()
    #expect(try bench.queue.record(refused)?.error == "transfer-digest-mismatch")
    #expect(other.requests.count == 3)
  }

  @Test("a success that does not name the digest is none, where that is asked for")
  func confirmation() async throws {
    let peer = try UploadPeer()
    let id = try add(peer) { $0.confirmation = .digest }
    try await bench.run(.none)
    let record = try bench.queue.record(id)
    #expect(record?.state == .waiting)
    #expect(record?.error == "transfer-unconfirmed")
  }

  @Test("Retry-After: 0 is no leave to storm")
  func noStorm() async throws {
    let peer = try UploadPeer { $0.number < 3 ? .status(503, ["Retry-After: 0"]) : nil }
    _ = try add(peer)
    try await bench.run()
    #expect(bench.log.retries == [1, 2, 4])
  }

  @Test("a form bears the fields and the file", arguments: [0, 5000])
  func form(size: Int) async throws {
    let peer = try UploadPeer()
    let file = try bench.file(size, name: "a \"b\".bin")
    var transfer = Transfer(.multipart, peer.url, file: file.path)
    transfer.metadata = ["kind": "log"]
    let id = try bench.queue.add(transfer)
    try await bench.run()
    #expect(try bench.queue.record(id)?.state == .done)
    let body = peer.now.bodies.last ?? []
    let boundary = peer.requests.last?.headers["content-type"]?.split(separator: "=").last.map(String.init) ?? "?"
    let wanted =
      Array(
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nlog\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a %22b%22.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n"
          .utf8) + file.bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    #expect(body == wanted)
  }

  @Test("what a description cannot say is refused")
  func descriptions() throws {
    let path = try bench.file(10).path
    for (url, change) in [
      ("ftp://a/b", { (_: inout Transfer) in }), ("http://a", { $0.checksum = "md4" }), ("http://a", { $0.parts = 0 }),
      ("http://a", { $0.chunk = 0 }), ("http://a", { $0.sha256 = "12" }),
      ("http://a", { $0.headers = ["X": "a\r\nY: b"] }),
    ] as [(String, (inout Transfer) -> Void)] {
      var transfer = Transfer(.tus, url, file: path)
      change(&transfer)
      #expect(throws: TransferError.self) { try bench.queue.add(transfer) }
    }
    #expect(throws: TransferError.self) { try bench.queue.add(Transfer(.tus, "http://a", file: path + "x")) }
  }
}
