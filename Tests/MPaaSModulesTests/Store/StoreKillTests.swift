import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A store whose user is killed", .tool("python3")) struct StoreKillTests {
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 30

  @Test("has no module by halves at any moment, and the next command goes on without a hand")
  func kill() async throws {
    let sample = try SampleStore()
    let files = (0..<12).map { "f('d\($0)/a', os.urandom(20000)), f('d\($0)/b', os.urandom(200))" }
    let first = try sample.archive("Demo", "1.0", files.joined(separator: ", "))
    let second = try sample.archive("Demo", "2.0", files.joined(separator: ", "))
    let place = sample.project + "/Demo"
    var random = SeededRandom(seed: 21)
    var half = 0
    for round in 0..<Self.rounds {
      let process = try sample.subject("loop", first.path, second.path)
      usleep(UInt32.random(in: 5_000...60_000, using: &random))
      let isRunning = process.isRunning
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(isRunning, "round \(round): it ended by itself with \(process.terminationStatus)")
      if !sample.names("tmp").isEmpty { half += 1 }
      let found = try await sample.store.verify(mending: false)
      #expect(found.isGood, "round \(round): \(found)")
      // Either nothing stands there, or a whole module; of a shared one the tree may be collected.
      if FileStatus(place) != nil {
        let placed = try #require(PlacedFolder(at: place), "round \(round)")
        #expect(placed.isUntouched(at: place), "round \(round): \(placed.changes(at: place))")
      }
      let module = try sample.store.add(archive: first.path, as: first.release)
      try sample.store.place(module, at: place, by: .link)
      #expect(PlacedFolder(at: place)?.isUntouched(at: place) == true)
      #expect(FileStatus(place + "/d11/a")?.size == 20_000)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sample.project) == ["Demo"], "round \(round)")
      _ = try sample.store.collect(keeping: [module.sha256], used: { (_) throws(ModuleError) in nil })
      #expect(sample.names("tmp").isEmpty, "round \(round)")
      let after = try await sample.store.verify(mending: false)
      #expect(after.isGood, "round \(round): \(after.others)")
      #expect(after.others.isEmpty, "round \(round): \(after.others)")
    }
    if Self.rounds > 50 { print("killed \(Self.rounds) times, \(half) of them with files half written") }
  }
}
