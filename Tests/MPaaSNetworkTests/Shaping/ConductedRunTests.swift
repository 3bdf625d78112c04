import Foundation
import MPaaSNetworkConditions
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSNetwork

@Suite("A program on a network whose conditions are conducted") struct ConductedRunTests {
  /// A network that remembers its layers, and whose program ends when it is told to.
  private final class ScriptedNetwork: RunNetwork {
    let mode: ConditionedRun.Mode
    private let layers = Mutex<[String]>([])
    private let work: @Sendable () async -> Void

    init(_ mode: ConditionedRun.Mode, work: @escaping @Sendable () async -> Void = {}) {
      self.mode = mode
      self.work = work
    }

    var told: [String] { layers.withLock { $0 } }

    func setLayer(_ layer: String, _ toxics: [Toxic]) async throws(NetworkError) {
      layers.withLock { $0.append("\(layer) \(toxics.map(\.name).joined(separator: ","))") }
    }

    func statistics() async -> [ProxyStatistics] { [ProxyStatistics(proxy: "run")] }

    func run(_ program: ChildProgram) async throws(NetworkError) -> ChildProgram.End {
      await work()
      return ChildProgram.End(process: 7, status: 3, signal: nil)
    }

    func end() async {}
  }

  private static func toxics(_ text: String) throws -> [Toxic] {
    try Timeline(text: "at 0s: \(text)", file: "t").steps.flatMap(\.toxics)
  }

  private static let program = ChildProgram(["true"], environment: [:])

  @Test("the conditions hold before the program begins, each timeline has a layer, and its conditions go at the end")
  func layers() async throws {
    let network = ScriptedNetwork(.proxy)
    let timeline = try Timeline(text: "at 0s: loss 1%", file: "t")
    let run = try await ConductedRun(
      on: network, toxics: Self.toxics("latency 10ms"), timelines: [timeline], label: "x", report: nil
    ).run(Self.program)
    #expect(run.mode == .proxy)
    #expect(run.end.status == 3)
    #expect(run.statistics.map(\.proxy) == ["run"])
    #expect(network.told.first?.hasPrefix("profile latency") == true)
    #expect(network.told.dropFirst().first?.hasPrefix("timeline0 loss") == true)
    #expect(network.told.last == "timeline0 ")
  }

  @Test("a report is made of a journal that goes again; what an earlier run left in it does not count")
  func report() async throws {
    let folder = try TemporaryFolder()
    let report = folder.path + "/report.md"
    try Data("left over\n".utf8).write(to: URL(filePath: report + ".jsonl"))
    let conducted = try ConductedRun(
      on: ScriptedNetwork(.namespace), toxics: Self.toxics("latency 10ms"), timelines: [], label: "slow",
      report: report)
    _ = try await conducted.run(Self.program)
    let journal = try String(contentsOfFile: report + ".jsonl", encoding: .utf8)
    #expect(!journal.contains("left over"))
    #expect(journal.contains("\"slow\""))
    #expect(journal.contains("\"tunnel\""))
    var file: String?
    try conducted.writeReport { _, path in
      file = path
      return "made"
    }
    #expect(file == report)
    #expect(try String(contentsOfFile: report, encoding: .utf8) == "made")
    #expect(!FileManager.default.fileExists(atPath: report + ".jsonl"))
  }

  @Test("a journal that is asked for is written on, and stays")
  func journal() async throws {
    let folder = try TemporaryFolder()
    let report = folder.path + "/run.jsonl"
    for _ in 0..<2 {
      let conducted = ConductedRun(
        on: ScriptedNetwork(.proxy), toxics: [], timelines: [], label: "none", report: report)
      _ = try await conducted.run(Self.program)
      try conducted.writeReport { _, _ in "no" }
    }
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.contains("\"profile_applied\"") } == 2)
  }

  @Test("samples are taken while the program runs, with a pause between them")
  func samples() async throws {
    let folder = try TemporaryFolder()
    let report = folder.path + "/run.jsonl"
    let (pauses, paused) = AsyncStream.makeStream(of: Void.self)
    let network = ScriptedNetwork(.proxy) {
      var count = 0
      for await _ in pauses {
        count += 1
        if count == 3 { return }
      }
    }
    let conducted = ConductedRun(
      on: network, toxics: [], timelines: [], label: "none", report: report,
      pause: {
        paused.yield()
        await Task.yield()
      })
    _ = try await conducted.run(Self.program)
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    // The last one is taken at the end.
    #expect(lines.count { $0.contains("\"sample\"") } >= 4)
  }

  @Test("conditions that the kind of network does not make are named")
  func uncovered() throws {
    let toxics = try Self.toxics("latency 10ms") + Self.toxics("loss 1%")
    func uncovered(_ mode: ConditionedRun.Mode) -> [Condition.Kind] {
      ConductedRun(on: ScriptedNetwork(mode), toxics: toxics, timelines: [], label: "x", report: nil).uncovered
    }
    #expect(uncovered(.namespace) == [])
    #expect(!uncovered(.proxy).contains(.latency))
  }
}
