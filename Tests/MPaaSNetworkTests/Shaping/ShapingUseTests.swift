import MPaaSNetwork
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("Shaping of an interface, and its end") struct ShapingUseTests {
  private let folder: TemporaryFolder
  private let machine = ShapingLedgerTests.Machine()
  private var ledger: ShapingLedger { ShapingLedger(data: folder.path, system: machine.system) }
  private var shaper: KernelShaper { KernelShaper(ledger: ledger, system: machine.system) }
  private var ran: [String] { machine.ran.withLock { $0 } }

  init() throws { folder = try TemporaryFolder() }

  // MARK: Shaping

  private func wish(_ interface: String = "lo", isTrial: Bool = false) -> ShapingWish {
    ShapingWish(
      interface: interface, upstream: [.blackout], downstream: [], label: "slow",
      isTrial: isTrial)
  }

  @Test("as a trial gives the plan and changes nothing, with a kernel that cannot be asked, too")
  func trial() throws {
    let outcome = try shaper.shape(wish(isTrial: true), with: nil, hold: nil)
    #expect(outcome.state == .planned)
    #expect(!outcome.isProbed)
    #expect(!outcome.plan.isEmpty)
    #expect(ran == [])
  }

  @Test("is refused where the kernel cannot be asked, and nothing waits")
  func unprobed() {
    #expect(throws: NetworkError(.shapingRefused, ["interface": "lo"])) {
      try shaper.shape(wish(), with: nil) {
        Issue.record("a wait was begun")
        return {}
      }
    }
  }

  @Test("is refused for an interface that is not there", arguments: ["", "mpaas-none", "lo; reboot"])
  func unknown(name: String) {
    #expect(throws: NetworkError(.interfaceUnknown, ["interface": name])) {
      try shaper.shape(wish(name, isTrial: true), with: .all, hold: nil)
    }
  }

  @Test("that stays is written down, and not undone")
  func stays() throws {
    let outcome = try shaper.shape(wish(), with: .all, hold: nil)
    #expect(outcome.state == .shaped)
    #expect(ledger.all().records.map(\.kind) == [.shape])
    #expect(ran.filter { $0.contains(" del ") } == [])
  }

  @Test("for a time is begun after signals are taken, held while it is waited, and undone")
  func held() throws {
    let states = Mutex<[Int]>([])
    let note = { states.withLock { $0.append(self.ledger.all().records.count) } }
    let outcome = try shaper.shape(wish(), with: .all) {
      note()
      return note
    }
    #expect(outcome.state == .undone)
    #expect(states.withLock { $0 } == [0, 1])
    #expect(ledger.all().records.isEmpty)
    #expect(ran.contains("tc qdisc del dev lo root"))
  }

  // MARK: Taking back

  private func write(
    _ name: String, _ kind: ShapingRecord.Kind = .shape, on interface: String = "mpaas7", namespace: String = "net:[1]"
  ) throws {
    try ledger.write(
      ShapingRecord(
        name: name, kind: kind, label: "3g", interface: interface, owner: ProcessMark(process: 7, start: 100),
        namespace: namespace, boot: "boot-1", started: 5,
        undo: [SystemCommand("tc qdisc del dev \(interface) root")], restoresForwarding: false))
  }

  private func fates(_ interface: String? = nil, isTrial: Bool = false, force: Bool = false) -> [ShapingRemoval.Fate] {
    ledger.takeBack(interface: interface, isTrial: isTrial, force: force).map(\.fate)
  }

  @Test("is undone with its record")
  func undone() throws {
    try write("a")
    #expect(fates() == [.undone])
    #expect(ran == ["tc qdisc del dev mpaas7 root"])
    #expect(ledger.all().records.isEmpty)
  }

  @Test("is only planned as a trial")
  func planned() throws {
    try write("a")
    #expect(fates(isTrial: true) == [.planned])
    #expect(ran == [])
    #expect(ledger.all().records.count == 1)
  }

  @Test("is kept where a process that lives holds it")
  func live() throws {
    try write("a", .hold)
    machine.living.withLock { $0[7] = 100 }
    #expect(fates(force: true) == [.kept])
    #expect(ran == [])
  }

  @Test("is kept in another namespace, and forgotten only where that is forced")
  func elsewhere() throws {
    try write("a", namespace: "net:[2]")
    #expect(fates() == [.kept])
    #expect(fates(isTrial: true, force: true) == [.forgotten])
    #expect(ledger.all().records.count == 1)
    #expect(fates(force: true) == [.forgotten])
    #expect(ledger.all().records.isEmpty)
    #expect(ran == [])
  }

  @Test("is that of one interface where one is named")
  func oneInterface() throws {
    try write("a", on: "mpaas7")
    try write("b", on: "mpaas8")
    #expect(fates("mpaas8") == [.undone])
    #expect(ledger.all().records.map(\.name) == ["a"])
  }
}
