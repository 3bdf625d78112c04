import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("A server whose disk is full", .enabled(if: SmallDisk.canMount)) struct FullDiskTests {
  @Test("answers 507, the upload stands, others and reads go on, and it is resumed when there is room")
  func full() async throws {
    let disk = try SmallDisk(megabytes: 12)
    let server = try await TestServer { $0.data = disk.path + "/data" }
    let small = try await server.made(1000)
    let bytes = Sample.bytes(1000)
    _ = try await server.tus("PATCH", small, ["Upload-Offset": "0"], body: bytes)
    let large = [UInt8](repeating: 5, count: 6 << 20)
    let location = try await server.made(large.count)
    let half = try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: Array(large[..<1_000_000]))
    #expect(half.status == 204)
    // Somebody else's file takes the room.
    let other = disk.path + "/other"
    try disk.fill(other, leaving: 2_500_000)
    let refused = try await server.tus(
      "PATCH", location, ["Upload-Offset": "1000000"], body: Array(large[1_000_000...]))
    #expect(refused.status == 507)
    #expect(refused.json["code"] as? String == "server-full")
    #expect(try await server.offset(location) == 1_000_000)
    #expect(try await server.send("GET", TestServer.path(small)).body == bytes)
    let another = try await server.made(1000)
    #expect(try await server.tus("PATCH", another, ["Upload-Offset": "0"], body: bytes).status == 204)
    try FileManager.default.removeItem(atPath: other)
    let rest = try await server.tus("PATCH", location, ["Upload-Offset": "1000000"], body: Array(large[1_000_000...]))
    #expect(rest.status == 204)
    #expect(try await server.send("GET", TestServer.path(location)).body == large)
    #expect(server.services.counts["refused.server-full"] == 1)
    await server.end()
  }

  @Test("keeps no server from starting: what is stored is read, and /readyz is 503 until there is room", .inFile)
  func start() async throws {
    let disk = try SmallDisk(megabytes: 12)
    let configure: (inout ServerConfiguration) -> Void = { $0.data = disk.path + "/data" }
    let first = try await TestServer(configure)
    let bytes = Sample.bytes(1000)
    let location = try await first.made(bytes.count)
    _ = try await first.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes)
    #expect(try await first.send("GET", "/readyz", ["Authorization": ""]).status == 200)
    await first.end()
    let other = disk.path + "/other"
    try disk.fill(other, leaving: 0)
    let server = try await TestServer(configure)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    #expect(try await server.send("GET", "/livez", ["Authorization": ""]).status == 200)
    let ready = try await server.send("GET", "/readyz", ["Authorization": ""])
    #expect(ready.status == 503)
    #expect(ready.json["code"] as? String == "server-full")
    // Nothing that is sent is taken in part and called whole.
    let large = try await server.tus("POST", "/uploads", ["Upload-Length": "3000000"])
    if let place = large.headers["location"] {
      let body = [UInt8](repeating: 1, count: 3_000_000)
      #expect(try await server.tus("PATCH", place, ["Upload-Offset": "0"], body: body).status == 507)
    } else {
      #expect(large.status == 507)
    }
    try FileManager.default.removeItem(atPath: other)
    #expect(try await server.send("GET", "/readyz", ["Authorization": ""]).status == 200)
    #expect(try await server.made(1000).contains("/uploads/"))
    await server.end()
  }
}

/// A file system of its own size in memory, where one may mount one.
final class SmallDisk {
  static let canMount: Bool = {
    guard getuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
    _ = disk
    return true
  }()

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    let outcome = try Command.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path])
    guard outcome.status == 0 else { throw POSIXError(.EPERM) }
  }

  deinit { _ = try? Command.run("umount", ["-l", folder.path]) }

  /// Makes a file so large that only so much room is left.
  ///
  /// A database that is closed meanwhile takes some of the room: where none is to be left, the disk may be full before.
  func fill(_ path: String, leaving left: Int) throws {
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    while true {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
      let free = (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
      guard free > left else { return }
      do {
        try file.write(contentsOf: Data(count: min(free - left, 1 << 16)))
      } catch  where left == 0 {
        return
      }
    }
  }
}
