import Foundation
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("A kit refuses a channel") struct KitRefusalTests {
  /// A repository as it is now, put back when it is wanted.
  struct Copy {
    let path: String

    init(of sample: SampleKit, _ name: String) throws {
      path = sample.home.path + "/" + name
      try FileManager.default.copyItem(atPath: sample.repository, toPath: path)
    }

    func place(_ file: String, in sample: SampleKit) throws {
      let target = sample.repository + "/" + file
      try? FileManager.default.removeItem(atPath: target)
      try FileManager.default.copyItem(atPath: path + "/" + file, toPath: target)
    }
  }

  @Test("that others signed")
  func forged() throws {
    let sample = try SampleKit(), other = try SampleKit()
    try other.publish("0.3.0")
    var updater = sample.updater()
    updater.urls = [other.repository]
    try sample.expectRefusal("metadata-below-threshold", updater)
    try sample.publish("0.3.0")
    let file = sample.repository + "/metadata/timestamp.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("\"version\":2", with: "\"version\":9").write(toFile: file, atomically: true, encoding: .utf8)
    try sample.expectRefusal("metadata-below-threshold")
  }

  @Test("that is older than what was seen before, though it was right once")
  func rollback() throws {
    let sample = try SampleKit()
    try sample.publish("0.2.0")
    let old = try Copy(of: sample, "old")
    try sample.publish("0.3.0")
    #expect(try sample.updater().check().kind == .available)
    try old.place("metadata/timestamp.json", in: sample)
    try sample.expectRefusal("metadata-rollback")
  }

  @Test("that expired, as one that is held back does")
  func frozen() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let later = sample.updater { Date().addingTimeInterval(40 * 86_400) }
    try sample.expectRefusal("timestamp-frozen", later)
  }

  @Test("whose parts are of different times")
  func mixed() throws {
    let sample = try SampleKit()
    try sample.publish("0.2.0")
    let old = try Copy(of: sample, "old")
    try sample.publish("0.3.0")
    let versions = try FileManager.default.contentsOfDirectory(atPath: sample.repository + "/metadata")
    let snapshots = versions.filter { $0.hasSuffix(".snapshot.json") }.sorted()
    let last = try #require(snapshots.last), before = try #require(snapshots.dropLast().last)
    try FileManager.default.removeItem(atPath: sample.repository + "/metadata/" + last)
    try FileManager.default.copyItem(
      atPath: old.path + "/metadata/" + before, toPath: sample.repository + "/metadata/" + last)
    try sample.expectRefusal("metadata-digest-mismatch")
  }

  @Test("whose document is of another channel, of an older version, for other machines, or none")
  func documents() throws {
    let sample = try SampleKit()
    try sample.expectRefusal("kit-channel-missing")
    try sample.publish("0.3.0") { $0["channel"] = "beta" }
    try sample.expectRefusal("kit-channel-mismatch")
    try sample.publish("0.1.0")
    try sample.expectRefusal("kit-version-older")
    try sample.publish("0.3.0") { $0["kits"] = [String: Any]() }
    try sample.expectRefusal("kit-machine-missing")
    for (key, value) in [("format", 2), ("version", "next"), ("kits", [1])] as [(String, Any)] {
      try sample.publish("0.3.0") { $0[key] = value }
      try sample.expectRefusal("kit-channel-malformed")
    }
    try sample.publish("0.3.0") { $0.change(["kits", "test", "archive", "sha256"]) { "../../../bin/mpaas" } }
    try sample.expectRefusal("kit-channel-malformed")
    var updater = sample.updater()
    updater.channel = "../stable"
    try sample.expectRefusal("kit-bad-channel", updater)
  }

  @Test("whose archive is not the one that it names, or another version than it says")
  func archives() throws {
    let sample = try SampleKit()
    let zeros = String(repeating: "0", count: 64)
    for part in ["archive", "content"] {
      try sample.publish("0.3.0", isSmall: false) { $0.change(["kits", "test", part, "sha256"]) { zeros } }
      try sample.expectRefusal("kit-archive-mismatch")
    }
    try sample.publish("0.3.0") { $0["version"] = "0.4.0" }
    try sample.expectRefusal("kit-does-not-run")
  }

  @Test("whose archive was changed where it lies")
  func changed() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0", isSmall: false)
    let folder = sample.repository + "/targets/kit/0.3.0"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      var bytes = try Bytes.reading(folder + "/" + name).array
      bytes[bytes.count / 2] ^= 1
      try Bytes(bytes).write(to: folder + "/" + name)
    }
    try sample.expectRefusal("target-digest-mismatch")
  }

  @Test("where the kit came without a root of trust")
  func noRoot() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let root = sample.folder.version("0.2.0") + "/share/mpaas/channel/root.json"
    try FileSystem.rename(root, to: root + ".away")
    let error = #expect(throws: KitUpdateError.self) { try sample.updater().update() }
    #expect(error?.code == .rootMissing)
    #expect(FileStatus(sample.folder.trust) == nil)
  }
}
