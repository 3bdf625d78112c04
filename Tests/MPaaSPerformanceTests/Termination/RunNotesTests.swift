import CPerformance
import CrashReporter
import MPaaSTestSupport
import Testing

@testable import MPaaSPerformance

@Suite("The notes of a run") struct RunNotesTests {
  private var bytes: [UInt8] {
    var notes = RunNotes()
    notes.version = "2.1"
    notes.boot = "b00t"
    notes.system = "Linux 6"
    notes.kills = 3
    var run = notes.layout
    withUnsafeMutableBytes(of: &run.magic) { $0.copyBytes(from: Array("MPRUN01\n".utf8)) }
    run.version = 1
    run.pid = 77
    run.has_exited = 1
    run.status = 4
    return withUnsafeBytes(of: run) { Array($0) }
  }

  @Test("are read as they were written")
  func roundTrip() throws {
    let notes = try #require(RunNotes(bytes))
    #expect(notes.process == 77 && notes.status == 4 && notes.version == "2.1" && notes.boot == "b00t")
    #expect(notes.kills == 3 && notes.system == "Linux 6" && notes.signal == 0)
  }

  @Test("are nothing where the file is cut off or no notes at all")
  func broken() {
    for length in 0..<bytes.count { #expect(RunNotes(Array(bytes.prefix(length))) == nil) }
    #expect(RunNotes([UInt8](repeating: 0, count: 1024)) == nil)
  }

  @Test("are read or refused, whatever bytes there are")
  func fuzz() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let notes = RunNotes(changed) else { continue }
      let facts = TerminationFacts(last: notes, now: RunNotes(), crash: .ended, hung: false, isAlive: false)
      #expect(!facts.termination.evidence.isEmpty)
    }
  }
}
