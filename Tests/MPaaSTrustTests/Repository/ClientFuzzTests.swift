import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("A client and metadata that somebody changed") struct ClientFuzzTests {
  /// One change: a bit, a byte, a piece cut out, doubled, or put elsewhere.
  static func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes = Array(bytes[..<place])
    default: bytes.insert(contentsOf: Array("[[{\"0\":9999999999999999999".utf8), at: place)
    }
    return bytes
  }

  @Test("what is trusted in the end is what was signed, whatever came in between")
  func mutated() throws {
    var random = SeededRandom(seed: 36)
    var repository = try TestRepository(threshold: 2)
    try repository.delegate("team", .paths(["a/*"]))
    repository.add("content", as: "a/x", to: "team")
    repository.targets["targets"]?.header.unknown = ["x-note": ["深": [1, 2, "three"]]]
    try repository.rotateRoot(threshold: 2)
    try repository.publish("root", "team", "targets", "snapshot", "timestamp")
    let files = repository.served.all.filter { $0.key.hasPrefix("metadata/") && $0.key != "metadata/1.root.json" }
    let signed = Set(try files.values.map(Self.canonical))
    let names = files.keys.sorted()
    let folder = TemporaryMetadata()
    for round in 0..<SeededRandom.rounds(or: 120) {
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      let original = try #require(files[name])
      repository.served[name] = Self.mutate(original, &random)
      if round % 3 == 0 { try? FileManager.default.removeItem(atPath: folder.path) }
      do {
        var client = try repository.client(folder)
        try client.refresh()
        _ = try client.target("a/x")
      } catch is TrustError {}
      for (name, data) in folder.content where name.hasSuffix(".json") && name != "root.json" {
        #expect(try signed.contains(Self.canonical(Array(data))), "round \(round): \(name)")
      }
      repository.served[name] = original
    }
    var client = try repository.client(folder)
    #expect(try client.target("a/x")?.role == "team")
  }

  @Test("a metadata folder that somebody changed never brings anything unsigned in, and heals")
  func damagedFolder() throws {
    var random = SeededRandom(seed: 37)
    var repository = try TestRepository()
    repository.add("content", as: "x")
    try repository.publish("targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    let names = ["timestamp.json", "snapshot.json", "targets.json", "trusted-time"]
    for _ in 0..<SeededRandom.rounds(or: 60) {
      let file = URL(filePath: folder.path + "/" + names[Int.random(in: 0..<names.count, using: &random)])
      try Data(Self.mutate(Array(Data(contentsOf: file)), &random)).write(to: file)
      var limits = RepositoryLimits()
      limits.refusesClockSetBack = false
      var client = try repository.client(folder, limits: limits)
      try client.refresh()
      #expect(try client.target("x")?.length == 7)
      try Data("2027-01-15T08:00:00Z\n".utf8).write(to: URL(filePath: folder.path + "/trusted-time"))
    }
  }

  private static func canonical(_ bytes: [UInt8]) throws -> [UInt8] {
    let value = try bytes.withUnsafeBytes { try JSONValue(reading: $0) }
    return try #require(value.object?["signed"]).canonical()
  }
}
