import Foundation
import MPaaSDatabase
import MPaaSDigests
import MPaaSObjectStoreTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("A bucket that fails") struct BlobFaultTests {
  private static func server(
    _ bucket: BucketDouble, in folder: TemporaryFolder? = nil, isTidied: Bool = true, patience: Double = 30,
    environment: [String: String]? = nil
  ) async throws -> TestServer {
    try await TestServer(in: folder, isTidied: isTidied, environment: environment, patience: patience) {
      $0.blobs = bucket.address()
    }
  }

  private static func object(_ bytes: [UInt8]) -> String {
    let name = bytes.sha256.hexadecimal
    return "blobs/\(name.prefix(2))/\(name.dropFirst(2))"
  }

  private static func code(_ body: () async throws -> Void) async -> ServerError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? ServerError
    }
  }

  @Test("has what comes refused with 503 and Retry-After, and taken when it is back; /readyz says so")
  func away() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket)
    #expect(try await server.send("GET", "/readyz").json["status"] as? String == "ok")
    bucket.fail { _ in .cut }
    let large = BlobStoreTests.largeEvent(seed: 3)
    let refused = try await server.envelope(large)
    #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
    #expect(refused.json["code"] as? String == "server-blobs-away")
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    try await Task.sleep(for: .seconds(1.1))
    let unready = try await server.send("GET", "/readyz")
    #expect(unready.status == 503 && unready.json["code"] as? String == "server-blobs-away")
    #expect(try await server.send("GET", "/livez").status == 200)
    // What needs no bucket goes on.
    #expect(try await server.envelope("{\"message\":\"small\"}").status == 200)
    bucket.fail(nil)
    #expect(try await server.send("GET", "/readyz").status == 200)
    #expect(try await server.envelope(large).status == 200)
    #expect(bucket.objects.values.contains(Array(large.utf8)))
    await server.end()
  }

  @Test("has an upload go on where it stands: the client sends the last byte again")
  func upload() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket)
    let bytes = Sample.bytes(5000)
    let location = try await server.made(bytes.count)
    bucket.fail { _ in .status(503, "SlowDown") }
    let refused = try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes)
    #expect(refused.status == 503 && refused.json["code"] as? String == "server-blobs-away")
    #expect(try await server.offset(location) == bytes.count - 1)
    #expect(try await server.send("GET", TestServer.path(location)).status == 404)
    bucket.fail(nil)
    let done = try await server.tus("PATCH", location, ["Upload-Offset": "\(bytes.count - 1)"], body: [bytes[4999]])
    #expect(done.status == 204)
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }

  private final class Names: Sendable {
    let value = Mutex<[String]>([])
  }

  @Test("has nothing that was answered as taken, and does not have it")
  func storm() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket)
    let random = Mutex(SeededRandom(seed: 7))
    bucket.fail { _ in
      switch random.withLock({ $0.next() % 12 }) {
      case 0...3: .status(503, "SlowDown")
      case 4...5: .cut
      case 6...7: .cutAfter
      case 8: .cutBody
      default: nil
      }
    }
    let taken = Names()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<12 {
            let bytes = Sample.bytes(2000, seed: UInt64(sender * 100 + number))
            let status = try await server.put(bytes, metadata: ["kind": "log"])
            #expect(status == 204 || status == 503)
            if status == 204 { taken.value.withLock { $0.append(Self.object(bytes)) } }
          }
        }
      }
      try await group.waitForAll()
    }
    let names = taken.value.withLock { $0 }
    #expect(!names.isEmpty)
    #expect(Set(names).isSubset(of: bucket.objects.keys))
    let rows = try await server.services.store.read { try UploadRecord.all($0, where: "state = 'whole'") }
    #expect(rows.count == names.count)
    await server.end()
  }

  @Test("keeps what was removed until it can go, also where the server ended meanwhile")
  func removal() async throws {
    let bucket = try BucketDouble()
    let first = try await Self.server(bucket, isTidied: false)
    let bytes = Array("a log".utf8)
    #expect(try await first.put(bytes, metadata: ["kind": "log"]) == 204)
    let upload = try await first.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }.first
    bucket.fail { $0.method == "DELETE" ? .status(500, "InternalError") : nil }
    #expect(try await first.tus("DELETE", "/uploads/\(try #require(upload).id)").status == 503)
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    await first.end()
    bucket.fail(nil)
    let second = try await Self.server(bucket, in: first.folder, isTidied: false)
    try await second.services.removals.run()
    #expect(bucket.objects[Self.object(bytes)] == nil)
    await second.end()
  }

  @Test("loses what was put there for a row that never came, once the server has begun again")
  func orphan() async throws {
    let bucket = try BucketDouble()
    let first = try await Self.server(bucket, isTidied: false)
    let bytes = Array("a log".utf8)
    let hold = try await first.services.keep(bytes)
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    try await first.services.removals.run()
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    await first.end()
    withExtendedLifetime(hold) {}
    let second = try await Self.server(bucket, in: first.folder, isTidied: false)
    try await second.services.removals.run()
    #expect(bucket.objects[Self.object(bytes)] == nil)
    await second.end()
  }

  @Test("keeps what a row names, and forgets the note")
  func notes() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket, isTidied: false)
    let bytes = Array("a log".utf8)
    #expect(try await server.put(bytes, metadata: ["kind": "log"]) == 204)
    try await server.services.removals.run()
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    let left = try await server.services.store.read {
      try $0.row("SELECT count(*) FROM blob_removals") { $0.integer(0) }
    }
    #expect(left == 0)
    await server.end()
  }

  @Test("does not lose what came again before its removal")
  func again() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket, isTidied: false)
    let bytes = Array("a log".utf8)
    #expect(try await server.put(bytes, metadata: ["kind": "log"]) == 204)
    let upload = try await server.services.store.read { try UploadRecord.all($0, where: "blob IS NOT NULL") }.first
    bucket.fail { $0.method == "DELETE" ? .status(500, "InternalError") : nil }
    #expect(try await server.tus("DELETE", "/uploads/\(try #require(upload).id)").status == 503)
    bucket.fail(nil)
    #expect(try await server.put(bytes, metadata: ["kind": "log"]) == 204)
    try await server.services.removals.run()
    #expect(bucket.objects[Self.object(bytes)] == bytes)
    await server.end()
  }

  @Test("has a report told as damaged that is gone or another one, and as away where it cannot be read")
  func damage() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket)
    let large = BlobStoreTests.largeEvent(seed: 4)
    #expect(try await server.envelope(large).status == 200)
    let name = Self.object(Array(large.utf8))
    func code() async throws -> String? {
      try await server.send("GET", "/api/v1/crashes/1/report").json["code"] as? String
    }
    bucket.fail { $0.method == "GET" ? .cutBody : nil }
    #expect(try await code() == "server-blobs-away")
    bucket.fail(nil)
    bucket.set(name, Array(large.utf8.reversed()))
    #expect(try await code() == "stored-report-damaged")
    bucket.set(name, nil)
    #expect(try await code() == "stored-report-damaged")
    await server.end()
  }

  @Test("is waited for at the start, and not for ever")
  func start() async throws {
    let bucket = try BucketDouble()
    bucket.fail { $0.number < 3 ? .status(503, "SlowDown") : nil }
    let server = try await Self.server(bucket)
    await server.end()
    bucket.fail { _ in .cut }
    let error = await Self.code { _ = try await Self.server(bucket, patience: 0.2) }
    #expect(error?.code == .blobsUnreachable && error?.code.exit == .unreachable)
  }

  @Test("at conditions of a request, which it does not know, is used all the same")
  func conditions() async throws {
    let bucket = try BucketDouble()
    bucket.fail { $0.headers["if-none-match"] == nil ? nil : .status(501, "NotImplemented") }
    let server = try await Self.server(bucket)
    #expect(bucket.objects.keys.sorted() == ["blobs/name"])
    await server.end()
  }

  @Test("and has no such bucket, or refuses the key, ends the start at once")
  func refused() async throws {
    let bucket = try BucketDouble()
    bucket.fail { _ in .status(404, "NoSuchBucket") }
    #expect(await Self.code { _ = try await Self.server(bucket) }?.code == .blobsBucket)
    bucket.fail(nil)
    let wrong = BucketDouble.environment.merging(["AWS_ACCESS_KEY_ID": "guess"]) { $1 }
    let denied = await Self.code { _ = try await Self.server(bucket, environment: wrong) }
    #expect(denied?.code == .blobsDenied && denied?.code.exit == .notPermitted)
    let missing = await Self.code { _ = try await Self.server(bucket, environment: [:]) }
    #expect(missing?.code == .blobsKey && missing?.code.exit == .badConfiguration)
    #expect(bucket.objects.isEmpty)
  }

  @Test("has no backup of its console, which says so; one with another folder has", .inFile)
  func backup() async throws {
    let bucket = try BucketDouble()
    let server = try await Self.server(bucket)
    let configuration = server.services.configuration
    let file = server.folder.path + "/backup.tar.zst"
    // The command that makes backups does not know how the server was started.
    var plain = ServerConfiguration(data: configuration.data, listen: "")
    plain.database = configuration.database
    let error = await Self.code {
      _ = try ServerBackup(plain, known: Schema.steps.count).write(to: file, at: 0)
    }
    #expect(error?.code == .backupElsewhere)
    await server.end()
    let elsewhere = server.folder.path + "/elsewhere"
    let other = try await TestServer { $0.blobs = elsewhere }
    #expect(try await other.put(Array("a log".utf8), metadata: ["kind": "log"]) == 204)
    let data = ServerConfiguration(data: other.services.configuration.data, listen: "")
    #expect(try ServerBackup(data, known: Schema.steps.count).write(to: file, at: 0).blobs == 1)
    await other.end()
  }

  @Test("of SeaweedFS refuses a wrong secret", .seaweed)
  func wrongSecret() async throws {
    let place = try BlobEngine.Place(.seaweed)
    let wrong = BucketDouble.environment.merging(["AWS_SECRET_ACCESS_KEY": "guess"]) { $1 }
    let denied = await Self.code { _ = try await TestServer(environment: wrong) { $0.blobs = place.text } }
    #expect(denied?.code == .blobsDenied)
  }
}
