import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("A watch of a folder of reports") struct ReportWatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func watch(_ server: ScriptedReportServer, check: @escaping ReportCheck = { _, _ in }) throws -> ReportWatch {
    let path = folder.path
    let files: @Sendable () throws -> [String] = {
      try FileSystem.names(in: path).filter { $0.hasSuffix(".ips") }.sorted().map { path + "/" + $0 }
    }
    return ReportWatch(try server.queue(folder.path + "/work"), files: files, check: check)
  }

  private func write(_ text: String, to name: String = "a.ips") throws {
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
  }

  /// Runs a watch in a task of its own, which the last pause ends.
  private func run(_ watch: ReportWatch, _ pauses: CountedPauses) async throws -> [String] {
    try await Task {
      var watch = watch
      var told: [String] = []
      try await watch.run(pauses.polling) { event in
        switch event {
        case .delivered(let report): told.append(FileSystem.name(of: report.path))
        case .problem(let problem): told.append(problem.id.name)
        }
      }
      return told
    }.value
  }

  @Test("brings a report when it no longer grows, and once only")
  func settles() async throws {
    try write("half")
    let server = ScriptedReportServer()
    let requests = Mutex<[Int]>([])
    let path = folder.path + "/a.ips"
    let pauses = CountedPauses(5) { number in
      requests.withLock { $0.append(server.now.requests) }
      if number == 1 { try? Data("half and half".utf8).write(to: URL(filePath: path)) }
    }
    #expect(try await run(try watch(server), pauses) == ["a.ips"])
    #expect(requests.withLock { $0 } == [0, 0, 1, 1, 1])
  }

  @Test("tells once that a file is no report, and sends nothing of it")
  func refused() async throws {
    try write("text")
    let server = ScriptedReportServer()
    let watch = try watch(server) { _, path in throw LogError(.formatUnknown, ["path": path]) }
    #expect(try await run(watch, CountedPauses(4)) == ["log-format-unknown"])
    #expect(server.now.requests == 0)
  }

  @Test("tells once that the server is away, and brings the report when it is back")
  func away() async throws {
    try write("a report")
    let server = ScriptedReportServer { $0 < 2 ? .status(503) : .stored }
    let told = try await run(try watch(server), CountedPauses(12, length: .milliseconds(30)))
    #expect(told == ["log-server-busy", "a.ips"])
    #expect(server.now.reports.count == 1)
  }

  @Test("once brings what is there, and says how that ended")
  func once() async throws {
    try write("a report", to: "a.ips")
    try write("", to: "empty.ips")
    let server = ScriptedReportServer()
    var watch = try watch(server)
    var told: [String] = []
    let exit = try await watch.runOnce { event in
      if case .delivered(let report) = event { told.append(FileSystem.name(of: report.path)) }
    }
    #expect(exit == .done)
    #expect(told == ["a.ips"])
  }

  @Test("once ends with the reason why a report has not arrived")
  func onceAway() async throws {
    try write("a report")
    var watch = try watch(ScriptedReportServer { _ in .status(503) })
    #expect(try await watch.runOnce { _ in } == .tryAgain)
  }
}
