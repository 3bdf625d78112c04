import Foundation
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Blobs in a folder and in a bucket") struct BlobStoreTests {
  /// Serves with blobs at a place, and goes on with the folder of another server where one is given.
  private static func server(
    _ place: BlobEngine.Place, in folder: TemporaryFolder? = nil, time: Time? = nil, disk: Int64 = 0
  ) async throws -> TestServer {
    try await TestServer(in: folder, time: time, isTidied: time == nil) {
      $0.blobs = place.text
      $0.limits.disk = disk
    }
  }

  private static let event = #"{"platform":"python","exception":{"values":[{"type":"E","value":"x"}]}"#

  /// An event that is packed to more than a row takes.
  static func largeEvent(seed: UInt64) -> String {
    let noise = Sample.bytes(200_000, seed: seed).hexadecimal
    return Self.event + #","extra":{"a":"\#(noise)"}}"#
  }

  @Test(
    "uploads, reports and attachments come back as they were sent, after a restart too", arguments: BlobEngine.installed
  )
  func roundTrip(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let first = try await Self.server(place)
    let bytes = Sample.bytes(300_000)
    #expect(try await first.put(bytes, metadata: ["kind": "log", "filename": "a.log"]) == 204)
    let large = Self.largeEvent(seed: 2)
    let more = "{\"type\":\"attachment\",\"length\":5,\"filename\":\"log.txt\"}\nhello\n"
    #expect(try await first.envelope(large, id: String(repeating: "a", count: 32), more: more).status == 200)
    await first.end()
    let second = try await Self.server(place, in: first.folder)
    let upload = try await second.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }.first
    let path = "/uploads/\(try #require(upload).id)"
    let whole = try await second.send("GET", path)
    #expect(whole.status == 200 && whole.body == bytes)
    let part = try await second.send("GET", path, ["Range": "bytes=100000-299998"])
    #expect(part.status == 206 && part.body == Array(bytes[100_000..<299_999]))
    let report = try await second.send("GET", "/api/v1/crashes/1/report")
    #expect(report.status == 200 && report.text == large)
    let kept = try await second.services.store.read { try CrashStore.attachments(of: 1, in: $0) }
    #expect(try await second.services.blobs.bytes(of: kept.first?.blob ?? "") == Array("hello".utf8))
    await second.end()
  }

  @Test("an upload of more than one request to a bucket comes back byte for byte", arguments: BlobEngine.installed)
  func large(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let server = try await Self.server(place)
    let bytes = Sample.bytes(20 << 20)
    #expect(try await server.put(bytes, metadata: ["kind": "file"]) == 204)
    let upload = try await server.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }.first
    let answer = try await server.send("GET", "/uploads/\(try #require(upload).id)")
    #expect(answer.status == 200)
    #expect(answer.body.sha256 == bytes.sha256)
    await server.end()
  }

  @Test("what was removed is gone, and what another row names stays", arguments: BlobEngine.installed)
  func removal(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let server = try await Self.server(place)
    for _ in 0..<2 { #expect(try await server.put(Array("a log".utf8), metadata: ["kind": "log"]) == 204) }
    let uploads = try await server.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }
    let name = try #require(uploads.first?.blob)
    #expect(uploads.count == 2)
    #expect(try await server.tus("DELETE", "/uploads/\(uploads[0].id)").status == 204)
    #expect(try await server.services.blobs.size(of: name) == 5)
    #expect(try await server.tus("DELETE", "/uploads/\(uploads[1].id)").status == 204)
    #expect(try await server.services.blobs.size(of: name) == nil)
    await server.end()
  }

  @Test("a report that is none leaves no blob", arguments: BlobEngine.installed)
  func malformed(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let server = try await Self.server(place)
    let bytes = Array("no report".utf8)
    #expect(try await server.put(bytes, metadata: ["kind": "crash"]) == 400)
    #expect(try await server.services.blobs.size(of: bytes.sha256.hexadecimal) == nil)
    await server.end()
  }

  @Test("a budget of the disk counts them and has the oldest go", arguments: BlobEngine.installed)
  func budget(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let time = Time(1_790_000_000)
    let server = try await Self.server(place, time: time, disk: 3 << 20)
    for seed in 1...4 {
      time.now += 600
      #expect(try await server.put(Sample.bytes(1 << 20, seed: UInt64(seed)), metadata: ["kind": "log"]) == 204)
    }
    let budget = DiskBudget(server.services)
    #expect(try await budget.used() >= 4 << 20)
    time.now += 600
    await budget.keep()
    #expect(try await budget.used() <= 3 << 20)
    let left = try await server.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }
    #expect((1...3).contains(left.count))
    for upload in left {
      #expect(try await server.services.blobs.size(of: upload.blob ?? "") == 1 << 20)
    }
    await server.end()
  }

  @Test("the data of a user are removed and exported with them", arguments: BlobEngine.installed)
  func user(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let server = try await Self.server(place)
    let bytes = Sample.bytes(900_000)
    #expect(try await server.put(bytes, metadata: ["kind": "log", "user": "ann"]) == 204)
    let exported = try await server.send("GET", "\(ConsolePaths.users)/ann/data")
    var pieces: [UInt8] = []
    // The body comes in chunks, whose sizes stand between the lines.
    for line in exported.text.split(whereSeparator: \.isNewline) where line.contains("\"base64\"") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      pieces += (object?["base64"] as? String).flatMap { Base64.decode($0.utf8) } ?? []
    }
    #expect(pieces == bytes)
    #expect(try await server.send("DELETE", "\(ConsolePaths.users)/ann/data").status == 200)
    #expect(try await server.services.blobs.size(of: bytes.sha256.hexadecimal) == nil)
    await server.end()
  }

  @Test("elsewhere belong to one data folder alone", arguments: BlobEngine.installed.filter { $0 != .folder })
  func taken(_ engine: BlobEngine) async throws {
    let place = try BlobEngine.Place(engine)
    let first = try await Self.server(place)
    await #expect { _ = try await Self.server(place) } throws: { ($0 as? ServerError)?.code == .blobsTaken }
    await first.end()
    let again = try await Self.server(place, in: first.folder)
    await again.end()
  }
}

@Suite("Holds of blobs") struct BlobHoldTests {
  @Test("keep a blob that is being stored from being removed")
  func hold() async throws {
    let holds = BlobHolds()
    let hold = await holds.hold("a")
    let other = await holds.hold("a")
    let isRemoved = AtomicMark()
    hold.release()
    hold.release()
    try await holds.removing("a") { isRemoved.set() }
    #expect(!isRemoved.isSet)
    other.release()
    try await holds.removing("a") { isRemoved.set() }
    #expect(isRemoved.isSet)
  }

  @Test("wait for a removal that has begun")
  func wait() async throws {
    let holds = BlobHolds()
    let isHeld = AtomicMark()
    var task: Task<Void, Never>?
    try await holds.removing("a") {
      task = Task {
        _ = await holds.hold("a")
        isHeld.set()
      }
      try await Task.sleep(for: .milliseconds(50))
      #expect(!isHeld.isSet)
    }
    await task?.value
    #expect(isHeld.isSet)
  }

  private final class AtomicMark: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
