import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("An upload of reports") struct ReportUploadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(_ name: String, _ text: String? = nil) throws -> String {
    let path = folder.path + "/" + name
    try Data((text ?? "report \(name)").utf8).write(to: URL(filePath: path))
    return path
  }

  private func upload(_ queue: ReportQueue, attempts: Int = 3) -> ReportUpload {
    let check: ReportCheck = { bytes, path in
      if bytes.buffer.elementsEqual("no report".utf8) { throw LogError(.formatUnknown, ["path": path]) }
    }
    return ReportUpload(queue, attempts: attempts, check: check, device: { DeviceState() })
  }

  @Test("brings each in its order; the same under two names is there once")
  func order() async throws {
    let server = ScriptedReportServer()
    let paths = [try report("b", "same"), try report("a"), try report("c", "same")]
    let uploads = try await upload(try server.queue(folder.path + "/work")).send(paths)
    #expect(uploads.reports.map(\.path) == paths)
    #expect(uploads.reports.map(\.isDone) == [true, true, true])
    #expect(uploads.reports.map(\.isDuplicate) == [false, false, true])
    #expect(uploads.problems.isEmpty)
    #expect(uploads.earlier.isEmpty)
    #expect(server.now.requests == 2)
  }

  @Test("sends no byte of what is refused, and the others go")
  func refused() async throws {
    let server = ScriptedReportServer()
    let paths = [try report("a", "no report"), try report("b"), folder.path + "/nowhere"]
    let uploads = try await upload(try server.queue(folder.path + "/work")).send(paths)
    #expect(uploads.reports.map(\.isDone) == [false, true, false])
    #expect(uploads.problems.map(\.id.name).first == "log-format-unknown")
    #expect(uploads.problems.count == 2)
    #expect(uploads.reports.allSatisfy { !$0.isQueued })
    #expect(server.now.requests == 1)
  }

  @Test("leaves the problem of a single report to the caller")
  func single() async throws {
    let server = ScriptedReportServer()
    let uploads = try await upload(try server.queue(folder.path + "/work")).send([try report("a", "no report")])
    #expect(uploads.problems.isEmpty)
    #expect(uploads.reports.first?.failure?.id == "log-format-unknown")
  }

  @Test("puts what is behind a server that is away in the queue only, and tells why once")
  func away() async throws {
    let server = ScriptedReportServer { _ in .unreachable }
    let queue = try server.queue(folder.path + "/work")
    let uploads = try await upload(queue, attempts: 1).send(try (0..<33).map { try report("\($0)") })
    #expect(uploads.reports.count == 33)
    #expect(uploads.reports.allSatisfy { $0.isQueued })
    #expect(uploads.problems.map(\.id.name) == ["server-unreachable"])
    let last = try #require(uploads.reports.last?.delivery?.id)
    #expect(try queue.queue.record(last)?.attempts == 0)
  }

  @Test("brings what waits from earlier behind what was named")
  func earlier() async throws {
    let server = ScriptedReportServer()
    let queue = try server.queue(folder.path + "/work")
    try queue.add(try report("old"))
    let uploads = try await upload(queue).send([try report("new")])
    #expect(uploads.reports.map(\.path) == [folder.path + "/new"])
    #expect(uploads.earlier.map { FileSystem.name(of: $0.path) } == ["old"])
    #expect(server.now.reports.count == 2)
  }

  @Test("tells each failure that is tried again")
  func retrying() async throws {
    let server = ScriptedReportServer { $0 < 2 ? .status(503) : .stored }
    let (words, teller) = AsyncStream.makeStream(of: String.self)
    let uploads = try await upload(try server.queue(folder.path + "/work")).send([try report("a")]) { event in
      if case .retrying(_, let word, _, _) = event { teller.yield(word) }
    }
    teller.finish()
    #expect(uploads.reports.map(\.isDone) == [true])
    #expect(await words.reduce(into: [String]()) { $0.append($1) }.count == 2)
  }

  @Test("tells what a rule of the device holds back as waiting, without an error")
  func heldBack() async throws {
    let server = ScriptedReportServer()
    let queue = try server.queue(folder.path + "/work")
    let upload = ReportUpload(
      queue, network: .wifi, check: { _, _ in }, device: { DeviceState(network: .cellular) })
    let report = try #require(try await upload.send([try report("a")]).reports.first)
    #expect(report.isQueued)
    #expect(report.error == nil)
    #expect(report.failure?.id == "report-waits")
  }
}
