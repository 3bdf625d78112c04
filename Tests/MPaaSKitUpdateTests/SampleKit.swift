import CLibZstd
import Foundation
import MPaaSArchive
import MPaaSDigests
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import MPaaSTransfer
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// A signed repository with channels, and a kit of version 0.2.0 that was installed below a prefix.
struct SampleKit {
  let home: TemporaryFolder
  let editor: RepositoryEditor
  let keys: [SigningKey]
  /// The bytes that every kit has, so that differences are small.
  let bulk: [UInt8]

  var prefix: String { home.path + "/prefix" }
  var folder: KitFolder { KitFolder(path: prefix + "/opt/mpaas") }
  var repository: String { home.path + "/repository" }

  init(settings: RepositorySettings = .init()) throws {
    // Paths of programs come with their links resolved.
    home = try TemporaryFolder()
    var random = SeededRandom(seed: 7)
    bulk = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let key = try SigningKey.generate(), online = try SigningKey.generate()
    keys = [key, online]
    editor = RepositoryEditor(home.path + "/repository")
    var plan = RepositoryEditor.Plan(offline: [key.verificationKey], online: [online.verificationKey])
    plan.settings = settings
    _ = try editor.create(plan, keys: keys)
    try install()
  }

  // MARK: - Kits

  /// The files of a version.
  func tree(_ version: String) throws -> [String: [UInt8]] {
    let channel = #"{"channel": "stable", "urls": ["\#(repository)"]}"#
    return [
      "bin/mpaas": Array("mpaas \(version)\n".utf8), "lib/bulk": bulk + Array(version.utf8),
      "share/man/man1/mpaas.1": Array("page".utf8), "share/man/man1/mpaas.\(version).1": Array("page".utf8),
      "share/mpaas/channel/root.json": try Bytes.reading(repository + "/metadata/1.root.json").array,
      "share/mpaas/channel/channel.json": Array(channel.utf8),
    ]
  }

  /// Puts a kit in place as `scripts/get` does, and nothing else.
  func install(_ version: String = "0.2.0") throws {
    try? FileManager.default.removeItem(atPath: prefix)
    let place = folder.version(version)
    for (path, content) in try tree(version) {
      try Directories.create(FileSystem.folder(of: place + "/" + path))
      try Bytes(content).write(to: place + "/" + path, mode: path.hasPrefix("bin/") ? 0o755 : 0o644)
    }
    try KitFiles.live.link(folder.link, "versions/" + version)
    for path in ["bin/mpaas", "share/man/man1/mpaas.1", "share/man/man1/mpaas.\(version).1"] {
      try Directories.create(FileSystem.folder(of: prefix + "/" + path))
      try KitFiles.live.link(prefix + "/" + path, folder.link + "/" + path)
    }
  }

  /// Expects the version in use to be one of these, whole.
  func expectWhole(_ versions: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let current = try #require(folder.current, sourceLocation: sourceLocation)
    let version = KitFolder.version(named: current)
    #expect(versions.contains(version), sourceLocation: sourceLocation)
    for (path, content) in try tree(version) {
      let found = try Bytes.reading(folder.link + "/" + path).array
      #expect(found == content, "\(path)", sourceLocation: sourceLocation)
    }
  }

  // MARK: - Publishing

  /// The archive of a version, and what it is without its compression.
  func archive(_ version: String) throws -> (file: [UInt8], tar: [UInt8]) {
    let path = home.path + "/archive.tar.zst"
    let file = try PartialFile(beside: path)
    let writer = try ArchiveWriter(.tarZstandard, into: file)
    for (name, content) in try tree(version).sorted(by: { $0.key < $1.key }) {
      try writer.add("mpaas-\(version)/\(name)", .file(isExecutable: name.hasPrefix("bin/")), [Bytes(content)])
    }
    try writer.finish()
    try file.finish()
    let bytes = try Bytes.reading(path).array
    var tar = [UInt8](repeating: 0, count: 1 << 20)
    let count = ZSTD_decompress(&tar, tar.count, bytes, bytes.count)
    try #require(ZSTD_isError(count) == 0)
    return (bytes, Array(tar[..<count]))
  }

  /// All files of a version one after the other.
  func reference(_ version: String) throws -> [UInt8] {
    try tree(version).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap(\.value)
  }

  func delta(from earlier: [UInt8], to tar: [UInt8]) throws -> [UInt8] {
    let context = try #require(ZSTD_createCCtx())
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 22)
    return try earlier.withUnsafeBytes { earlier in
      ZSTD_CCtx_refPrefix(context, earlier.baseAddress, earlier.count)
      var room = [UInt8](repeating: 0, count: ZSTD_compressBound(tar.count))
      let count = ZSTD_compress2(context, &room, room.count, tar, tar.count)
      try #require(ZSTD_isError(count) == 0)
      return Array(room[..<count])
    }
  }

  /// Offers a version in a channel, with a difference from 0.2.0; `change` may spoil the document.
  func publish(
    _ version: String, channel: String = "stable", isSmall: Bool = true,
    change: (inout [String: Any]) -> Void = { _ in }
  ) throws {
    let (archive, tar) = try archive(version)
    let earlier = try reference("0.2.0")
    let delta = try delta(from: earlier, to: tar)
    var kit: [String: Any] = [
      "content": fact(tar), "archive": fact(archive, "kit/\(version)/kit.tar.zst"), "deltas": [],
    ]
    if isSmall {
      kit["deltas"] = [
        ["version": "0.2.0", "from": fact(earlier), "file": fact(delta, "kit/\(version)/from-0.2.0.zst")]
      ]
    }
    var document: [String: Any] = [
      "format": 1, "channel": channel, "version": version, "notes": ["en": "New.", "zh-Hans": "新。"],
      "kits": ["test": kit],
    ]
    change(&document)
    let text = try Array(JSONSerialization.data(withJSONObject: document))
    _ = try editor.edit(keys: keys) { draft throws(TrustError) in
      try draft.add(.bytes(archive), as: "kit/\(version)/kit.tar.zst")
      try draft.add(.bytes(delta), as: "kit/\(version)/from-0.2.0.zst")
      try draft.add(.bytes(text), as: "kit/\(channel).json")
    }
  }

  private func fact(_ bytes: [UInt8], _ name: String? = nil) -> [String: Any] {
    var fact: [String: Any] = ["length": bytes.count, "sha256": bytes.sha256.hexadecimal]
    fact["name"] = name
    return fact
  }

  // MARK: - Updating

  /// An updater that runs programs by reading what they would print.
  func updater(
    files: KitFiles = .live, http: HTTPClient = .live(userAgent: "test"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> KitUpdater {
    let processes = ProcessRunner { request throws(FileError) in
      let output = try Bytes.reading(request.program)
      return .init(status: 0, output: String(decoding: output.buffer, as: UTF8.self))
    }
    return KitUpdater(
      folder, .init(http: http, now: now, processes: processes, files: files, machine: "test"))
  }

  /// Expects an update to be refused for a reason, and the kit to be as it was.
  func expectRefusal(
    _ id: String, _ updater: KitUpdater? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = #expect(throws: KitUpdateError.self, sourceLocation: sourceLocation) {
      try (updater ?? self.updater()).update()
    }
    #expect(error?.code.id.name == id, sourceLocation: sourceLocation)
    try expectWhole("0.2.0", sourceLocation: sourceLocation)
  }
}
