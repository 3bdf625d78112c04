import Foundation
import MPaaSDigests
import MPaaSObjectStore
import MPaaSObjectStoreTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@Suite("Objects of a bucket") struct S3StoreTests {
  private static func store(_ bucket: BucketDouble, key: String = BucketDouble.key) throws -> S3Store {
    let address = try #require(S3Address(bucket.address("some/where")))
    let secret = BucketDouble.environment["AWS_SECRET_ACCESS_KEY"] ?? ""
    var store = S3Store(
      S3Place(address, endpoint: nil, region: "us-east-1"),
      S3Signature(identifier: key, secret: secret, region: "us-east-1"), userAgent: "mpaas",
      now: { Date().timeIntervalSince1970 })
    store.patience.pause = 2
    return store
  }

  private static func put(_ store: S3Store, _ name: String, _ bytes: [UInt8]) throws(S3Error) {
    try store.put(name, .bytes(Bytes(bytes)), sha256: bytes.sha256.hexadecimal)
  }

  private static func code(_ body: () throws(S3Error) -> Void) -> S3Error.Code? {
    do throws(S3Error) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("are put, read whole and in ranges, and removed")
  func roundTrip() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    #expect(try store.size(of: "ab/1 + 2") == nil)
    #expect(try store.bytes(of: "ab/1 + 2", limit: 100) == nil)
    try Self.put(store, "ab/1 + 2", Array("0123456789".utf8))
    #expect(bucket.objects == ["some/where/ab/1 + 2": Array("0123456789".utf8)])
    #expect(try store.size(of: "ab/1 + 2") == 10)
    #expect(try store.bytes(of: "ab/1 + 2", limit: 100) == Array("0123456789".utf8))
    #expect(try store.bytes(of: "ab/1 + 2", 2..<5, limit: 100) == Array("234".utf8))
    try store.remove("ab/1 + 2")
    try store.remove("ab/1 + 2")
    #expect(bucket.objects.isEmpty)
  }

  @Test("that are published have the digest that was said, a type and a time; nothing is said of others")
  func published() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    let bytes = Array("{}".utf8)
    try store.publish(
      "root.json", .bytes(Bytes(bytes)), sha256: bytes.sha256.hexadecimal, type: "application/json",
      cacheControl: "no-cache")
    let sent = try #require(bucket.requests.last?.headers)
    #expect(sent["content-type"] == "application/json")
    #expect(sent["cache-control"] == "no-cache")
    #expect(sent["authorization"]?.contains("x-amz-meta-sha256") == true)
    #expect(try store.digest(of: "root.json") == bytes.sha256.hexadecimal)
    #expect(try store.digest(of: "another") == nil)
    try Self.put(store, "plain", bytes)
    #expect(try store.digest(of: "plain") == nil)
    bucket.fail { _ in .status(403, "AccessDenied") }
    #expect(try store.digest(of: "root.json") == nil)
  }

  @Test("of large files go in parts, and are there once all parts are")
  func parts() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    let folder = try TemporaryFolder()
    let bytes = [UInt8](unsafeUninitializedCapacity: 20 << 20) { room, count in
      for place in room.indices { room[place] = UInt8(truncatingIfNeeded: place &* 31 &+ place >> 9) }
      count = room.count
    }
    let file = folder.path + "/large"
    try Data(bytes).write(to: URL(filePath: file))
    try store.put("large", file: file, sha256: bytes.sha256.hexadecimal, size: Int64(bytes.count))
    #expect(bucket.objects["some/where/large"] == bytes)
    #expect(bucket.uploads == 0)
    #expect(bucket.requests.count { $0.query["partNumber"] != nil } == 3)
  }

  @Test("of large files leave no parts where one cannot be put")
  func abort() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 17 << 20)
    let file = folder.path + "/large"
    try Data(bytes).write(to: URL(filePath: file))
    bucket.fail { $0.query["partNumber"] == "2" ? .status(400, "EntityTooSmall") : nil }
    let code = Self.code { () throws(S3Error) in
      try store.put("large", file: file, sha256: bytes.sha256.hexadecimal, size: Int64(bytes.count))
    }
    #expect(code == .malformed)
    #expect(bucket.uploads == 0 && bucket.objects.isEmpty)
  }

  @Test("are not there where the store finds out at the end that it cannot put the parts together")
  func lateError() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 17 << 20)
    let file = folder.path + "/large"
    try Data(bytes).write(to: URL(filePath: file))
    bucket.fail { $0.method == "POST" && $0.query["uploadId"] != nil ? .lateError("InternalError") : nil }
    let code = Self.code { () throws(S3Error) in
      try store.put("large", file: file, sha256: bytes.sha256.hexadecimal, size: Int64(bytes.count))
    }
    #expect(code == .away)
    #expect(bucket.objects.isEmpty)
  }

  @Test(
    "are tried again after errors that pass, and after connections that end",
    arguments: [
      BucketDouble.Fault.status(500, "InternalError"), .status(503, "SlowDown"), .status(429, "TooManyRequests"),
      .status(400, "RequestTimeout"), .cut, .cutAfter, .cutBody,
    ])
  func again(_ fault: BucketDouble.Fault) throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    let bytes = Array(repeating: UInt8(3), count: 100_000)
    // Three of each method fail.
    let left = Mutex(["PUT": 3, "GET": 3, "DELETE": 3])
    bucket.fail { request in
      left.withLock { left in
        guard let count = left[request.method], count > 0 else { return nil }
        left[request.method] = count - 1
        return fault
      }
    }
    try Self.put(store, "a", bytes)
    #expect(bucket.objects["some/where/a"] == bytes)
    #expect(try store.bytes(of: "a", limit: 1 << 20) == bytes)
    try store.remove("a")
    #expect(bucket.objects.isEmpty)
  }

  @Test("are away after five tries, and none of them was taken")
  func away() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    bucket.fail { _ in .status(503, "SlowDown") }
    #expect(Self.code { () throws(S3Error) in try Self.put(store, "a", [1]) } == .away)
    #expect(bucket.requests.count == 5)
    #expect(bucket.objects.isEmpty)
  }

  @Test("are refused with a wrong key, and told so at once")
  func denied() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket, key: "guess")
    #expect(Self.code { () throws(S3Error) in try Self.put(store, "a", [1]) } == .denied)
    #expect(bucket.requests.count == 1)
  }

  @Test("are not written over where they are to be new")
  func new() throws {
    let bucket = try BucketDouble()
    let store = try Self.store(bucket)
    func put(_ byte: UInt8) -> S3Error.Code? {
      Self.code { () throws(S3Error) in
        try store.put("a", .bytes(Bytes([byte])), sha256: [byte].sha256.hexadecimal, isNew: true)
      }
    }
    #expect(put(1) == nil)
    #expect(put(2) == .taken)
    #expect(bucket.objects["some/where/a"] == [1])
  }

  @Test("of a bucket that is not there are told from objects that are not")
  func bucketMissing() throws {
    let bucket = try BucketDouble()
    bucket.fail { _ in .status(404, "NoSuchBucket") }
    let store = try Self.store(bucket)
    #expect(Self.code { () throws(S3Error) in _ = try store.bytes(of: "a", limit: 10) } == .noBucket)
    #expect(Self.code { () throws(S3Error) in try store.remove("a") } == .noBucket)
  }
}
