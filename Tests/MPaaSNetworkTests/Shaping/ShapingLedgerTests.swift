import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Synchronization
import Testing

@Suite("Records of what is done to the machine") struct ShapingLedgerTests {
  /// A machine of values.
  final class Machine: Sendable {
    let ran = Mutex<[String]>([])
    let living = Mutex<[Int32: UInt64]>([:])
    let forwarding = Mutex(false)
    let boot = Mutex("boot-1")
    let namespace = Mutex("net:[1]")

    var system: ShapingSystem {
      ShapingSystem(
        processes: ProcessRunner { request throws(FileError) in
          // The words of `sh -c SCRIPT sh WORDS…`.
          self.ran.withLock { $0.append(request.arguments.dropFirst(3).joined(separator: " ")) }
          return ProcessRunner.Outcome(status: 0)
        },
        mark: { process in self.living.withLock { $0[process] }.map { ProcessMark(process: process, start: $0) } },
        namespace: { self.namespace.withLock { $0 } }, boot: { self.boot.withLock { $0 } },
        isForwarding: { self.forwarding.withLock { $0 } },
        setForwarding: { isOn in
          self.forwarding.withLock { $0 = isOn }
          return true
        },
        now: { 1_800_000_000 })
    }
  }

  private let folder: TemporaryFolder
  private let machine = Machine()
  private var ledger: ShapingLedger { ShapingLedger(data: folder.path, system: machine.system) }

  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ name: String, _ kind: ShapingRecord.Kind, process: Int32 = 7, start: UInt64? = 100, forwards: Bool = false
  ) -> ShapingRecord {
    ShapingRecord(
      name: name, kind: kind, label: "3g, up loss 2%", interface: "mpaas7",
      owner: ProcessMark(process: process, start: start), namespace: "net:[1]", boot: "boot-1", started: 5,
      undo: [SystemCommand("tc qdisc del dev mpaas7 root"), SystemCommand("iptables -D x")],
      restoresForwarding: forwards)
  }

  @Test("a record is read as it was written")
  func roundTrip() throws {
    for record in [record("a", .run, forwards: true), record("b", .shape, start: nil), record("c", .hold)] {
      try ledger.write(record)
      #expect(try ShapingRecord(name: record.name, record.json) == record)
      #expect(ledger.all().records.contains(record))
    }
    #expect(ledger.all().problems.isEmpty)
  }

  @Test("a process that lives, one that is gone, and another of the same number are told apart")
  func standings() {
    let run = record("a", .run)
    #expect(ledger.standing(of: run) == .stale)
    machine.living.withLock { $0[7] = 100 }
    #expect(ledger.standing(of: run) == .live)
    machine.living.withLock { $0[7] = 101 }
    #expect(ledger.standing(of: run) == .stale)
    #expect(ledger.standing(of: record("b", .shape)) == .applied)
    machine.namespace.withLock { $0 = "net:[2]" }
    #expect(ledger.standing(of: run) == .elsewhere)
    machine.boot.withLock { $0 = "boot-2" }
    #expect(ledger.standing(of: run) == .gone)
  }

  @Test("undoing runs the commands in order and takes the record away; after another boot there is nothing to run")
  func undo() throws {
    let run = record("a", .run)
    try ledger.write(run)
    _ = try ledger.attach(Bytes([1]), to: run)
    ledger.undo(run)
    #expect(machine.ran.withLock { $0 } == ["tc qdisc del dev mpaas7 root", "iptables -D x"])
    #expect(try FileSystem.names(in: folder.path + "/net/shaping").isEmpty)
    machine.boot.withLock { $0 = "boot-2" }
    ledger.undo(run)
    #expect(machine.ran.withLock { $0.count } == 2)
  }

  @Test("forwarding is given back when the last run that asked for it ends")
  func forwarding() throws {
    machine.living.withLock { $0 = [7: 100, 8: 100] }
    let first = record("a", .run, forwards: true)
    try ledger.write(first)
    machine.forwarding.withLock { $0 = true }
    let second = ledger.record(.run, label: "", interface: "mpaas8", undo: [], forwards: true)
    #expect(second.restoresForwarding)
    try ledger.write(second)
    ledger.undo(first)
    #expect(machine.forwarding.withLock { $0 })
    ledger.undo(second)
    #expect(!machine.forwarding.withLock { $0 })
  }

  @Test("a file that is no record, or that names other programs, is told and not run")
  func refused() throws {
    let text = #"{"version":1,"undo":[["rm","-rf","/"]]}"#
    let good = record("a", .run).json.line
    let bad = good.replacing(#"["iptables""#, with: #"["sh""#)
    #expect(bad != good)
    for (name, content) in [("bad", bad), ("short", text), ("none", "{"), ("list", "[]")] {
      try ledger.write(record(name, .run))
      try Bytes(Array(content.utf8)).write(to: folder.path + "/net/shaping/\(name).json", mode: 0o600)
    }
    let (records, problems) = ledger.all()
    #expect(records.isEmpty)
    #expect(problems.count == 4)
    #expect(problems.allSatisfy { $0.code.word == "net-shaping-record" })
    // Others may write to it.
    try Bytes(Array(good.utf8)).write(to: folder.path + "/net/shaping/open.json", mode: 0o666)
    let status = try Command.run("chmod", ["666", folder.path + "/net/shaping/open.json"])
    #expect(status.status == 0)
    #expect(ledger.all().records.isEmpty)
  }

  @Test("bytes that were changed by chance never stop the reader")
  func fuzz() throws {
    var random = SeededRandom(seed: 3)
    let line = Array(record("a", .run).json.line.utf8)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = line
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      guard let json = bytes.withUnsafeBytes({ try? JSONValue(reading: $0) }) else { continue }
      if let record = try? ShapingRecord(name: "a", json) {
        #expect(try ShapingRecord(name: "a", record.json) == record)
      }
    }
  }

  @Test("a process's start is read behind a name with spaces and parentheses")
  func processStart() {
    let fields = (3...30).map { "\($0 * 10)" }.joined(separator: " ")
    #expect(ProcessMark.start(in: "12 (a) b (c) \(fields)") == 220)
    #expect(ProcessMark.start(in: "12 (a) 1 2") == nil)
    #expect(ProcessMark.start(in: "") == nil)
  }
}
