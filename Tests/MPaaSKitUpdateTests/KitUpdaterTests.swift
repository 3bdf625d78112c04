import Foundation
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("An installed kit") struct KitUpdaterTests {
  @Test("is brought to the version of its channel by a difference, and keeps the one before for a rollback")
  func update() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let outcome = try sample.updater().update()
    #expect(outcome.kind == .updated)
    #expect(outcome.before == "0.2.0")
    #expect(outcome.after == "0.3.0")
    #expect(outcome.isDelta)
    #expect(outcome.notes == ["en": "New.", "zh-Hans": "新。"])
    try sample.expectWhole("0.3.0")
    #expect(sample.folder.before("0.3.0") == "0.2.0")
    let again = try sample.updater().update()
    #expect(again.kind == .current)
    for version in ["0.2.0", "0.3.0", "0.2.0"] {
      #expect(try sample.updater().rollback().after == version)
      try sample.expectWhole(version)
    }
    #expect(try sample.updater().update().kind == .updated)
    try sample.expectWhole("0.3.0")
    #expect(try sample.updater().rollback().after == "0.2.0")
  }

  @Test("keeps two versions, and nothing of what came")
  func sweep() throws {
    let sample = try SampleKit()
    for version in ["0.3.0", "0.4.0", "0.5.0"] {
      try sample.publish(version)
      #expect(try sample.updater().update().after == version)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path + "/versions")
    #expect(names.sorted() == ["0.4.0", "0.5.0"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.folder.path + "/work") == [])
  }

  @Test("changes nothing where it only tells what there is")
  func check() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let outcome = try sample.updater().check()
    #expect(outcome.kind == .available)
    #expect(outcome.after == "0.3.0")
    try sample.expectWhole("0.2.0")
    _ = try sample.updater().update()
    #expect(try sample.updater().check().kind == .current)
  }

  @Test("takes the whole archive where a difference is missing, damaged, or begins with other files")
  func whole() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0", isSmall: false)
    #expect(try sample.updater().update().isDelta == false)
    try sample.expectWhole("0.3.0")
    for spoil in ["file", "from"] {
      try sample.install()
      try sample.publish("0.3.0") { document in
        document.change(["kits", "test", "deltas", 0, spoil, "sha256"]) { String(repeating: "0", count: 64) }
      }
      #expect(try sample.updater().update().isDelta == false)
      try sample.expectWhole("0.3.0")
    }
    try sample.install()
    try sample.publish("0.3.0")
    try Bytes([1]).write(to: sample.folder.version("0.2.0") + "/lib/bulk")
    let reasons = Mutex<[String]>([])
    var updater = sample.updater()
    updater.note = { event in
      if case .differenceFailed(let reason) = event { reasons.withLock { $0.append(reason.id.name) } }
    }
    #expect(try updater.update().isDelta == false)
    #expect(reasons.withLock { $0 } == ["kit-archive-mismatch"])
    try sample.expectWhole("0.3.0")
  }

  @Test("follows the channel that was asked for last, and says when another one is behind")
  func channels() throws {
    let sample = try SampleKit()
    try sample.publish("0.2.0")
    try sample.publish("0.3.0", channel: "beta")
    #expect(try sample.updater().update().kind == .current)
    var updater = sample.updater()
    updater.channel = "beta"
    #expect(try updater.update().after == "0.3.0")
    #expect(try sample.updater().update().channel == "beta")
    updater.channel = "stable"
    let error = #expect(throws: KitUpdateError.self) { try updater.update() }
    #expect(error?.code == .versionOlder)
    try sample.expectWhole("0.3.0")
    try sample.publish("0.4.0")
    #expect(try updater.update().after == "0.4.0")
    #expect(try sample.updater().update().channel == "stable")
  }

  @Test("has links of its prefix to the files of the version in use, and leaves those of others")
  func links() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let pages = sample.prefix + "/share/man/man1"
    try Bytes([1]).write(to: pages + "/other.1")
    _ = try sample.updater().update()
    let names = try FileManager.default.contentsOfDirectory(atPath: pages)
    #expect(names.sorted() == ["mpaas.0.3.0.1", "mpaas.1", "other.1"])
    #expect(try Bytes.reading(sample.prefix + "/bin/mpaas").array == Array("mpaas 0.3.0\n".utf8))
    #expect(FileStatus(ofLink: sample.prefix + "/share/mpaas") == nil)
  }

  @Test("is updated by one program at a time")
  func lock() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let lock = try LockFile(sample.folder.path + "/lock", .making(0o644))
    #expect(lock.take() == .taken)
    try sample.expectRefusal("kit-update-busy")
  }

  @Test("without a version before has nothing to go back to")
  func noRollback() throws {
    let sample = try SampleKit()
    let error = #expect(throws: KitUpdateError.self) { try sample.updater().rollback() }
    #expect(error?.code == .noRollback)
    try sample.expectWhole("0.2.0")
  }
}

extension [String: Any] {
  /// Changes a value inside, by keys and indexes.
  mutating func change(_ path: [Any], _ value: () -> Any) {
    self = Self.changed(self, path[...], value()) as? [String: Any] ?? self
  }

  private static func changed(_ value: Any, _ path: ArraySlice<Any>, _ new: Any) -> Any {
    guard let first = path.first else { return new }
    if let key = first as? String, var object = value as? [String: Any] {
      object[key] = changed(object[key] ?? NSNull(), path.dropFirst(), new)
      return object
    }
    if let index = first as? Int, var list = value as? [Any] {
      list[index] = changed(list[index], path.dropFirst(), new)
      return list
    }
    return value
  }
}
