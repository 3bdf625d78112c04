import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import MPaaSTrust
import Testing

@Suite("Where a client gets files from") struct RepositorySourceTests {
  static func repository() throws -> TestRepository {
    var repository = try TestRepository()
    repository.add("the fix", as: "patches/cart 1.mpatch")
    try repository.publish("targets", "snapshot", "timestamp")
    return repository
  }

  static let broken = RepositorySource(
    metadata: { _, _ throws(TrustError) in throw TrustError(.init("server-unreachable", exit: .unreachable)) },
    target: { _, _ throws(TrustError) in throw TrustError(.init("server-unreachable", exit: .unreachable)) })

  static func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test("a folder and a file URL are repositories too")
  func folders() throws {
    let repository = try Self.repository()
    let place = try TemporaryFolder()
    try repository.served.write(to: place.url)
    let url = "file://" + PercentEncoding.encode(place.path, keeping: "/")
    for address in [place.path, place.path + "/", url] {
      let folder = TemporaryMetadata()
      var client = RepositoryClient(
        metadataFolder: folder.path, fetch: try RepositoryFetch(mirrors: [address], scratch: folder.path),
        now: { TestRepository.start })
      try client.initialize(root: #require(repository.served["metadata/1.root.json"]))
      let target = try #require(try client.target("patches/cart 1.mpatch"))
      let path = folder.path + "/out/file"
      #expect(try client.download(target, to: path))
      #expect(Self.content(path) == "the fix")
      #expect(try !client.download(target, to: path))
    }
    for address in ["ftp://x/y", "file://host/x", "file://%zz"] {
      expectRefusal("repository-bad-url", exit: .usage) {
        _ = try RepositoryFetch(mirrors: [address], scratch: "/")
      }
    }
  }

  @Test("mirrors are tried in order: one that fails, lacks a file, or has a wrong one is passed over")
  func mirrors() throws {
    var repository = try Self.repository()
    let old = repository.served.all
    try repository.publish("targets", "snapshot", "timestamp")
    let stale = ServedFiles()
    for (name, bytes) in old { stale[name] = bytes }
    let empty = ServedFiles()
    let corrupt = ServedFiles()
    for (name, bytes) in repository.served.all { corrupt[name] = bytes.map { $0 == 0x66 ? 0x67 : $0 } }
    let folder = TemporaryMetadata()
    var first = try repository.client(folder)
    try first.refresh()
    // The stale one would be a rollback.
    var client = try repository.client(
      folder, sources: [Self.broken, stale.source, empty.source, corrupt.source, repository.served.source])
    let target = try #require(try client.target("patches/cart 1.mpatch"))
    #expect(try client.download(target, to: folder.path + "/x"))
    #expect(Self.content(folder.path + "/x") == "the fix")
    var hopeless = try repository.client(folder, sources: [Self.broken, stale.source])
    expectRefusal("metadata-rollback") { try hopeless.refresh() }
    // A wrong root from one mirror does not stop a client that another one serves well.
    let evil = ServedFiles()
    evil["metadata/2.root.json"] = Array("{}".utf8)
    var tenacious = try repository.client(folder, sources: [evil.source, repository.served.source])
    try tenacious.refresh()
    var offline = try repository.client(folder, sources: [Self.broken])
    expectRefusal("server-unreachable", exit: .unreachable) { try offline.refresh() }
  }

  @Test("a file that is not what the repository vouches for is refused, and what was there stays")
  func wrongTarget() throws {
    let repository = try Self.repository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    let target = try #require(try client.target("patches/cart 1.mpatch"))
    let path = folder.path + "/x"
    try "what was there".write(toFile: path, atomically: true, encoding: .utf8)
    let name = try #require(repository.served.all.keys.first { $0.hasPrefix("targets/") })
    repository.served[name] = Array("the fox".utf8)
    expectRefusal("target-digest-mismatch") { try client.download(target, to: path) }
    repository.served[name] = nil
    expectRefusal("target-file-missing", exit: .unreachable) { try client.download(target, to: path) }
    #expect(Self.content(path) == "what was there")
    #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
  }

  @Test("names that lead out of the folder are refused", arguments: ["../x", "a/../../x", "/x", "a//b", "."])
  func names(name: String) throws {
    var repository = try TestRepository()
    repository.targets["targets"]?.targets[name] = TargetFile(length: 1, digests: .sha256(of: Data("x".utf8)))
    try repository.publish("targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    let target = try #require(try client.target(name))
    expectRefusal("target-bad-name", exit: .malformedInput) { try client.download(target, to: folder.path + "/x") }
  }

  @Test("a download that was interrupted goes on where it stopped, over HTTP")
  func resume() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 >> 3) }
    let server = try LoopbackServer { head, _ in
      guard let range = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("range: bytes=") }),
        let from = Int(range.dropFirst(13).prefix { $0.isNumber }), from < content.count
      else { return LoopbackServer.answer("200 OK", body: content) }
      return LoopbackServer.answer(
        "206 Partial Content", headers: ["Content-Range: bytes \(from)-\(content.count - 1)/\(content.count)"],
        body: Array(content[from...]))
    }
    let folder = TemporaryMetadata()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let client = RepositoryClient(
      metadataFolder: folder.path,
      fetch: try RepositoryFetch(
        metadata: [], targets: [server.url], http: .live(userAgent: "mpaas-test"), scratch: folder.path))
    let file = TargetFile(length: content.count, digests: .sha256(of: Data(content)))
    let target = TrustedTarget(name: "big", file: file, role: "targets")
    let path = folder.path + "/big"
    func download(after partial: [UInt8]?) throws -> [String] {
      try? FileManager.default.removeItem(atPath: path)
      if let partial { try Data(partial).write(to: URL(filePath: path + ".partial")) }
      let before = server.requests.count
      #expect(try client.download(target, to: path))
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(content))
      #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
      return Array(server.requests.dropFirst(before))
    }
    #expect(try download(after: nil).count == 1)
    let resumed = try download(after: Array(content.prefix(150_000)))
    try #require(resumed.count == 1)
    #expect(resumed[0].contains("Range: bytes=150000-"))
    // Whole already: nothing is asked for.
    #expect(try download(after: content).isEmpty)
    // Another file's beginning: noticed at the end, and all of it is fetched.
    #expect(try download(after: [UInt8](repeating: 1, count: 1000)).count == 2)
    #expect(try download(after: [UInt8](repeating: 1, count: 300_000)).count == 1)
  }

  @Test("what came before the connection broke off is kept for the next time")
  func brokenOff() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 5 >> 2) }
    // Each answer breaks off after 60,000 bytes.
    let server = try LoopbackServer { head, number in
      let range = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("range: bytes=") }
      let from = range.flatMap { Int($0.dropFirst(13).prefix { $0.isNumber }) } ?? 0
      let last = content.count - 1
      let status = from == 0 ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes \(from)-\(last)/\(content.count)"
      let headLines = "HTTP/1.1 \(status)\r\nContent-Length: \(content.count - from)\r\nConnection: close\r\n\r\n"
      return number == 0 ? nil : Array(headLines.utf8) + content[from...].prefix(60_000)
    }
    let folder = TemporaryMetadata()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let client = RepositoryClient(
      metadataFolder: folder.path,
      fetch: try RepositoryFetch(
        metadata: [], targets: [server.url], http: .live(userAgent: "mpaas-test"), scratch: folder.path))
    let file = TargetFile(length: content.count, digests: .sha256(of: Data(content)))
    let target = TrustedTarget(name: "big", file: file, role: "targets")
    let path = folder.path + "/big"
    var sizes: [UInt64] = []
    for _ in 0..<6 where !FileManager.default.fileExists(atPath: path) {
      _ = try? client.download(target, to: path)
      sizes.append(FileStatus(path + ".partial")?.size ?? 0)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(content))
    #expect(sizes.contains { $0 > 0 && $0 < content.count }, "\(sizes)")
    // Nothing was fetched twice.
    let begun = server.requests.dropFirst().filter { !$0.lowercased().contains("range:") }
    #expect(begun.count == 1)
  }

  @Test("a server that sends more than was announced is cut off")
  func endless() throws {
    let server = try LoopbackServer { _, _ in
      Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 4 << 20)
    }
    let folder = TemporaryMetadata()
    let repository = try TestRepository()
    var client = try repository.client(
      folder,
      sources: [.at(server.url, http: .live(userAgent: "mpaas-test"), scratch: folder.path)])
    expectRefusal("metadata-too-large") { try client.refresh() }
    let file = TargetFile(length: 10, digests: .sha256(of: Data("x".utf8)))
    let target = TrustedTarget(name: "x", file: file, role: "targets")
    expectRefusal("target-digest-mismatch") { try client.download(target, to: folder.path + "/x") }
    #expect(folder.content.keys.sorted() == ["root.json"])
  }

  @Test("what was trusted opens without a network, expired or not")
  func offline() throws {
    var repository = try Self.repository()
    try repository.delegate("team", .paths(["sdk/*"]))
    repository.add("sdk", as: "sdk/a", to: "team")
    try repository.publish("team", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    expectRefusal("metadata-missing", exit: .unreachable) { try client.open() }
    try client.refresh()
    var later = try repository.client(folder, at: TestRepository.start + 1e9, sources: [Self.broken])
    try later.open()
    #expect(try later.target("patches/cart 1.mpatch") != nil)
    expectRefusal("metadata-missing", exit: .unreachable) { _ = try later.target("sdk/a") }
    _ = try client.target("sdk/a")
    #expect(try later.target("sdk/a")?.role == "team")
    expectRefusal("metadata-expired") {
      var late = try repository.client(folder, at: TestRepository.start + 1e9); try late.refresh()
    }
  }

  @Test("the root that came with the app is the beginning, and never a way back")
  func initialize() throws {
    var repository = try Self.repository()
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    let first = try #require(repository.served["metadata/1.root.json"])
    try repository.rotateRoot()
    try repository.publish("root")
    try client.refresh()
    let before = folder.content
    try client.initialize(root: first)
    #expect(folder.content == before)
    let other = try TestRepository()
    let foreign = try #require(other.served["metadata/1.root.json"])
    try client.initialize(root: foreign)
    #expect(folder.content == before)
    expectRefusal("metadata-below-threshold") {
      let text = String(decoding: foreign, as: UTF8.self).replacing("2027", with: "2028")
      try client.initialize(root: Array(text.utf8), anew: true)
    }
    #expect(folder.content == before)
    try client.initialize(root: foreign, anew: true)
    #expect(folder.content == ["root.json": Data(foreign)])
    let empty = TemporaryMetadata()
    var none = RepositoryClient(
      metadataFolder: empty.path, fetch: RepositoryFetch(metadata: [repository.served.source], targets: []))
    repository.served.requests = []
    expectRefusal("repository-root-missing", exit: .badConfiguration) { try none.refresh() }
    #expect(repository.served.requests.isEmpty)
  }

  @Test("a mirror that sends eleven bytes a second holds nobody: a least rate and a time for the whole end it")
  func slowMirror() throws {
    let repository = try Self.repository()
    let server = try ScriptedServer { request in
      if request.path.hasSuffix("2.root.json") { return [ScriptedServer.answer("404 Not Found")] }
      return [ScriptedServer.answer("200 OK", length: 10_000)]
        + (0..<100).flatMap { _ in [.send(Array(repeating: 32, count: 11)), .stall(seconds: 1)] }
    }
    for isByRate in [false, true] {
      let folder = TemporaryMetadata()
      var pace = RepositoryPace()
      var limits = RepositoryLimits()
      // Each is ended by one of them alone, the other being far away.
      if isByRate {
        pace.window = .seconds(1)
        limits.refreshTime = .seconds(600)
      } else {
        pace.window = .seconds(600)
        limits.refreshTime = .seconds(1)
      }
      var client = RepositoryClient(
        metadataFolder: folder.path,
        fetch: try RepositoryFetch(mirrors: [server.url], scratch: folder.path, pace: pace),
        now: { TestRepository.start }, limits: limits)
      try client.initialize(root: #require(repository.served["metadata/1.root.json"]))
      let start = ContinuousClock.now
      expectRefusal("server-timed-out", exit: .tryAgain) { try client.refresh() }
      #expect(ContinuousClock.now - start < .seconds(isByRate ? 10 : 4))
    }
  }
}
