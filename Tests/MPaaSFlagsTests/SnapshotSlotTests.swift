import MPaaSTestSupport
import Testing

@testable import MPaaSFlags

@Suite("The snapshot of the moment") struct SnapshotSlotTests {
  private static func snapshot(_ isOn: Bool) throws -> FlagSnapshot {
    FlagSnapshot(
      try FlagState(
        json: #"{"features":[{"name":"a","enabled":\#(isOn)},{"name":"b","enabled":\#(isOn)}]}"#))
  }

  @Test("is read as a whole, before or after an exchange, by any number of threads")
  func whole() async throws {
    let slot = SnapshotSlot(try Self.snapshot(true))
    let (on, off) = (try Self.snapshot(true), try Self.snapshot(false))
    let rounds = SeededRandom.rounds(or: 50_000)
    let torn = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          (0..<rounds).count { _ in
            slot.read(
              { $0.isEnabled("a", for: FlagContext()) != $0.isEnabled("b", for: FlagContext()) }, else: { true })
          }
        }
      }
      group.addTask {
        for round in 0..<rounds / 50 { slot.replace(with: round % 2 == 0 ? off : on) }
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(torn == 0)
  }

  @Test("is freed once it is replaced and nobody reads it")
  func freed() throws {
    let slot = SnapshotSlot(try Self.snapshot(true))
    weak var old: FlagSnapshot?
    slot.read({ old = $0 }, else: {})
    #expect(old != nil)
    let next = try Self.snapshot(false)
    slot.read({ _ in slot.replace(with: next) }, else: {})
    // The reader was not done yet; the next exchange sees that it is.
    slot.replace(with: next)
    #expect(old == nil)
  }

  @Test("goes on through more exchanges than it has places")
  func places() throws {
    let slot = SnapshotSlot(try Self.snapshot(true))
    for round in 0..<500 { slot.replace(with: try Self.snapshot(round % 2 == 0)) }
    #expect(slot.read({ !$0.isEnabled("a", for: FlagContext()) }, else: { false }))
  }
}
