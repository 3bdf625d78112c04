import MPaaSTestSupport
import Testing

@testable import MPaaSSampling

@Suite("Waits from records of a kernel") struct WaitLedgerTests {
  private typealias Event = WaitLedger.Event

  @Test("a wait lasts from the departure to the return, and has the place that came before it")
  func wait() {
    var ledger = WaitLedger()
    ledger.add(Event(time: 10, thread: 1, kind: .place(stack: 7)))
    ledger.add(Event(time: 11, thread: 1, kind: .out(isPreempted: false)))
    ledger.add(Event(time: 31, thread: 1, kind: .back))
    let expected = WaitLedger.Wait(thread: 1, start: 11, end: 31, stack: 7, isPreempted: false)
    #expect(ledger.settle(before: 100) == [expected])
  }

  @Test("records of several processors are put in the order of their times")
  func order() {
    var ledger = WaitLedger()
    ledger.add(Event(time: 50, thread: 1, kind: .back))
    ledger.add(Event(time: 20, thread: 1, kind: .out(isPreempted: true)))
    let expected = WaitLedger.Wait(thread: 1, start: 20, end: 50, stack: nil, isPreempted: true)
    #expect(ledger.settle(before: 100) == [expected])
  }

  @Test("what may still be preceded by a late record stays until the next time")
  func late() {
    var ledger = WaitLedger()
    ledger.add(Event(time: 20, thread: 1, kind: .out(isPreempted: false)))
    ledger.add(Event(time: 50, thread: 1, kind: .back))
    #expect(ledger.settle(before: 50).isEmpty)
    #expect(ledger.settle(before: 51).map(\.end) == [50])
  }

  @Test("a thread that waits all the time has a wait of all the time")
  func whole() {
    var ledger = WaitLedger()
    ledger.begin(3, at: 5, stack: 2)
    let expected = WaitLedger.Wait(thread: 3, start: 5, end: 90, stack: 2, isPreempted: false)
    #expect(ledger.finish(at: 90) == [expected])
  }

  @Test("a thread that was found waiting, and went on for a moment before that was told, waited until it left again")
  func missedReturn() {
    var ledger = WaitLedger()
    ledger.begin(3, at: 5, stack: 2)
    ledger.add(Event(time: 40, thread: 3, kind: .out(isPreempted: false)))
    let expected = [
      WaitLedger.Wait(thread: 3, start: 5, end: 40, stack: 2, isPreempted: false),
      WaitLedger.Wait(thread: 3, start: 40, end: 90, stack: 2, isPreempted: false),
    ]
    #expect(ledger.finish(at: 90) == expected)
  }

  @Test("a thread that has ended waits no more")
  func end() {
    var ledger = WaitLedger()
    ledger.add(Event(time: 20, thread: 1, kind: .end))
    ledger.add(Event(time: 21, thread: 1, kind: .out(isPreempted: false)))
    ledger.add(Event(time: 22, thread: 1, kind: .end))
    #expect(ledger.finish(at: 90).isEmpty)
  }
}
