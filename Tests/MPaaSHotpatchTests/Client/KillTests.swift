import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatch

@Suite("Killed at any moment") struct KillTests {
  /// Rounds: `MPAAS_KILL_ROUNDS`, else what keeps the suite short.
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 16

  @Test("publishing and following leave a valid repository, and a client that runs its last good state")
  func killed() throws {
    let home = try TemporaryFolder()
    let (repository, keys, client) = (home.path + "/repository", home.path + "/keys", home.path + "/client")
    let store = KeyStore(folder: keys)
    let records = try ["offline", "online"].map {
      try store.generate($0, .ed25519, roles: [], expires: nil, passphrase: nil)
    }
    let signing = try records.map { try store.signingKey($0.name, for: .targets, passphrase: nil) }
    let editor = RepositoryEditor(repository)
    let plan = RepositoryEditor.Plan(
      offline: [signing[0].verificationKey], online: [signing[1].verificationKey])
    #expect(try editor.create(plan, keys: signing).isComplete)

    var random = SeededRandom(seed: 5)
    var newest = 0
    for round in 0..<Self.rounds {
      let process = Process()
      process.executableURL = Command.products.appending(path: "HotpatchSubject")
      process.arguments = [repository, keys, client]
      let output = Pipe()
      process.standardOutput = output
      try withNoSignalsBlocked { try process.run() }
      usleep(UInt32.random(in: 20_000...400_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(process.terminationReason == .uncaughtSignal, "round \(round): it ended by itself: \(said)")

      var check = RepositoryCheck(editor.folder, now: Date())
      try check.run()
      let problems = check.findings.filter { $0.severity != .advice }
      #expect(problems.isEmpty, "round \(round): \(problems)")

      let patches = PatchStore(client)
      let state = try patches.load()
      for installed in state.slots.values.flatMap({ [$0.current, $0.lastGood].compactMap(\.self) }) {
        let bytes = try patches.read(installed)
        #expect(String(decoding: bytes.array, as: UTF8.self) == "cart \(installed.version)")
      }
      let version = state.slots["cart"]?.current.flatMap { Int($0.version.text) } ?? 0
      // Killed before it was confirmed, a version may rest, but it stays.
      #expect(version >= newest, "round \(round): back from \(newest) to \(version)")
      #expect(state.knownBad.isEmpty, "round \(round): back from \(newest) to \(version)")
      newest = max(newest, version)
    }
    #expect(newest > 0)
  }
}
