import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("A client that is killed") struct ClientKillTests {
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 24

  /// Runs the command and kills it after a while; nil where it ended before.
  static func run(_ arguments: [String], killAfter microseconds: UInt32?) throws -> Int32? {
    let process = Process()
    process.executableURL = Command.mpaas
    process.arguments = ["registry", "client"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    if let microseconds {
      usleep(microseconds)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? nil : process.terminationStatus
  }

  /// A repository of now, with many steps to be killed between: roots, delegations, a large target.
  static func repository() throws -> TestRepository {
    var repository = try TestRepository()
    let late = Date() + 86_400
    repository.root.header.expires = late
    repository.timestamp.header.expires = late
    repository.snapshot.header.expires = late
    for _ in 0..<6 {
      try repository.rotate(.snapshot)
      try repository.publish("root")
    }
    for (name, parent) in [("a", "targets"), ("b", "a"), ("c", "b")] { try repository.delegate(name, from: parent) }
    for name in repository.targets.keys { repository.targets[name]?.header.expires = late }
    repository.add(String(repeating: "the fix ", count: 200_000), as: "big", to: "c")
    try repository.publish("a", "b", "c", "targets", "snapshot", "timestamp")
    return repository
  }

  @Test("kill -9 at any moment of refresh and download: the next one goes on from a state that is whole")
  func killed() throws {
    let repository = try Self.repository()
    let place = try TemporaryFolder()
    try repository.served.write(to: place.url)
    let root = place.path + "/metadata/1.root.json"
    let expected = try #require(repository.served.all.first { $0.key.hasSuffix(".big") }).value
    let folder = TemporaryMetadata()
    let target = folder.path + "/out/big"
    let refresh = ["--metadata-dir", folder.path, "--metadata-url", place.path + "/metadata"]
    let download =
      refresh + [
        "--target-name", "big", "--target-base-url", place.path + "/targets", "--target-dir", folder.path + "/out",
        "download",
      ]
    // The time that it takes undisturbed: the first time there is most to do.
    #expect(try Self.run(["--metadata-dir", folder.path, "init", root], killAfter: nil) == 0)
    let start = ContinuousClock.now
    #expect(try Self.run(download, killAfter: nil) == 0)
    let whole = max(1000, Int((ContinuousClock.now - start) / .microseconds(1)))
    var random = SeededRandom(seed: UInt64(truncatingIfNeeded: whole))
    var killed = 0
    for _ in 0..<Self.rounds {
      if killed % 3 == 0 {
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try Self.run(["--metadata-dir", folder.path, "init", root], killAfter: nil) == 0)
      }
      let moment = UInt32(Int.random(in: whole / 8...whole, using: &random))
      if try Self.run(download, killAfter: moment) == nil { killed += 1 }
      // Every file that has its name is whole and verified.
      for (name, data) in folder.content where name.hasSuffix(".json") {
        let value = data.withUnsafeBytes { try? JSONValue(reading: $0) }
        #expect(value?.object?["signed"] != nil, "\(name)")
      }
      let bytes = try Array(Data(contentsOf: URL(filePath: folder.path + "/root.json")))
      #expect(throws: Never.self) { try TrustedMetadata(root: bytes, start: Date()) }
      if let found = try? Data(contentsOf: URL(filePath: target)) { #expect(found == Data(expected)) }
    }
    #expect(killed > 0)
    #expect(try Self.run(download, killAfter: nil) == 0)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data(expected))
    // Nothing unfinished is left.
    let left = Set(folder.content.keys).subtracting(["out"])
    #expect(left == ["root.json", "timestamp.json", "snapshot.json", "targets.json", "a.json", "b.json", "c.json"])
  }
}
