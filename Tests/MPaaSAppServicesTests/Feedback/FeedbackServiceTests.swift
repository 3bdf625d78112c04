import Foundation
import MPaaSLock
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@testable import MPaaSAppServices

/// A server in memory that takes words of feedback and hands out replies.
private final class FeedbackDouble: Sendable {
  struct State {
    var reports: [FeedbackReport] = []
    var messages: [FeedbackMessage] = []
    var secrets: Set<String> = []
    /// The next answers, in the place of what it would do.
    var answers: [HTTPReply] = []
    /// Done while words are on their way.
    var meanwhile: (@Sendable () -> Void)?
  }

  let state = Lock(State())

  var server: AppServer {
    AppServer(
      "http://feedback.test/", appKey: "key", client: HTTPClient { call throws(HTTPError) in self.answer(call) })
  }

  private func answer(_ call: HTTPCall) -> HTTPReply {
    if call.method == "POST" { state.withLock { $0.meanwhile }?() }
    return state.withLock { state in
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      guard call.headers.contains(where: { $0 == ("Authorization", "Bearer key") }) else {
        return HTTPReply(status: 401)
      }
      if call.method == "POST", call.url == "http://feedback.test/api/v1/feedback",
        case .bytes(let body)? = call.body?.first,
        let report = try? JSONDecoder().decode(FeedbackReport.self, from: Data(body.array))
      {
        state.reports.append(report)
        return Self.json(Receipt(id: report.id))
      }
      let words = call.url.split(separator: "=")
      guard call.method == "GET", call.url.hasPrefix("http://feedback.test/api/v1/feedback-replies?after="),
        let after = words.last.flatMap({ Int64($0) })
      else { return HTTPReply(status: 404) }
      state.secrets.insert(call.headers.first { $0.name == "Feedback-Secret" }?.value ?? "")
      let told = Array(state.messages.filter { $0.number > after }.prefix(1))
      let left = state.messages.count { $0.number > after }
      return Self.json(FeedbackReplies(messages: told, next: told.last?.number ?? after, more: left > 1))
    }
  }

  private static func json(_ value: some Encodable) -> HTTPReply {
    HTTPReply(status: 200, body: (try? JSONEncoder().encode(value)).map { Array($0) } ?? [])
  }

  func service(_ folder: TemporaryFolder, now: Double = 1000) throws -> FeedbackService {
    var configuration = FeedbackConfiguration(server: server, folder: folder.path + "/feedback", device: "d1")
    configuration.now = { now }
    return try FeedbackService(configuration)
  }
}

@Suite("The feedback service") struct FeedbackServiceTests {
  private let double = FeedbackDouble()
  private let folder: TemporaryFolder
  private let wifi: @Sendable () -> DeviceState = { DeviceState() }

  init() throws { folder = try TemporaryFolder() }

  private func form(_ text: String, user: String? = "ann") -> FeedbackForm {
    var form = FeedbackForm(userID: user, mobileNumber: "138")
    form.text = text
    return form
  }

  @Test("keeps what was submitted without a network, over the end of the process, and sends it with its user")
  func queued() async throws {
    let id = try double.service(folder).submit(form("first"))
    let service = try double.service(folder)
    #expect(service.conversations(of: "ann").map(\.state) == [.waiting])
    #expect(service.conversations(of: "bob").isEmpty)
    #expect(try await !service.deliver { DeviceState(network: .none) })
    #expect(double.state.withLock { $0.reports.isEmpty })
    #expect(try await service.deliver(wifi))
    let reports = double.state.withLock { $0.reports }
    #expect(reports.map(\.id) == [id])
    #expect(reports.first?.user == "ann")
    #expect(reports.first?.mobile == "138")
    #expect(reports.first?.facts["model"]?.isEmpty == false)
    #expect(reports.first?.logs == nil, "logs go only where the user gives them")
    #expect(service.conversations(of: "ann").map(\.state) == [.open])
    #expect(try await double.service(folder).deliver(wifi))
    #expect(double.state.withLock { $0.reports.count } == 1)
  }

  @Test("waits where the server is busy, and says why where it refuses, until the user tries again")
  func refused() async throws {
    let service = try double.service(folder)
    let id = try service.submit(form("first"))
    double.state.withLock { $0.answers = [HTTPReply(status: 503)] }
    await #expect(throws: AppServiceError.self) { try await service.deliver(wifi) }
    #expect(service.conversations(of: "ann").map(\.state) == [.waiting])
    let said = #"{"code":"server-bad-request","message":"category"}"#
    double.state.withLock { $0.answers = [HTTPReply(status: 400, body: Array(said.utf8))] }
    #expect(try await service.deliver(wifi))
    #expect(service.conversations(of: "ann").map(\.state) == [.refused])
    #expect(service.conversations(of: "ann").first?.reason == "category")
    #expect(try await service.deliver(wifi))
    #expect(double.state.withLock { $0.reports.isEmpty })
    try service.retry(id)
    #expect(try await service.deliver(wifi))
    #expect(double.state.withLock { $0.reports.count } == 1)
    #expect(!service.discard(id))
    let other = try service.submit(form("second"))
    #expect(service.discard(other))
    #expect(service.conversations(of: "ann").count == 1)
  }

  @Test("goes out in the order in which it was given")
  func order() async throws {
    let ids = try (0..<5).map { try double.service(folder, now: 1000 + Double($0)).submit(form("\($0)")) }
    try await double.service(folder).deliver(wifi)
    #expect(double.state.withLock { $0.reports.map(\.id) } == ids)
  }

  @Test("is not taken back while it is being posted, since the server may have it then")
  func discardedMeanwhile() async throws {
    let service = try double.service(folder)
    let ids = [try service.submit(form("first")), try service.submit(form("second"))]
    let taken = Lock<[String: Bool]>([:])
    double.state.withLock {
      $0.meanwhile = { for id in ids { taken.withLock { $0[id] = service.discard(id) } } }
    }
    try await service.deliver(wifi)
    // The one whose post is under way stays, and the other one never reaches the server.
    let posted = double.state.withLock { $0.reports.map(\.id) }
    #expect(posted.count == 1)
    for id in ids { #expect(taken.withLock { $0[id] } == !posted.contains(id)) }
    double.state.withLock { $0.meanwhile = nil }
  }

  @Test("tells replies once, also to listeners, counts those that were not read, and asks behind the last one")
  func replies() async throws {
    let service = try double.service(folder)
    let id = try service.submit(form("first"))
    try await service.deliver(wifi)
    var news = service.changes.makeAsyncIterator()
    double.state.withLock {
      $0.messages = [
        FeedbackMessage(number: 3, feedback: id, text: "thanks", state: .answered, time: 1),
        FeedbackMessage(number: 4, feedback: "../../../etc/passwd", text: "x", state: .answered, time: 1),
        FeedbackMessage(number: 7, feedback: id, text: nil, state: .closed, time: 2),
      ]
    }
    let changed = try await service.refresh()
    #expect(changed.map(\.id) == [id])
    #expect(changed.first?.replies.map(\.text) == ["thanks", nil])
    #expect(changed.first?.state == .closed)
    #expect(await news.next() == changed.first)
    #expect(service.unread(of: "ann") == 1)
    #expect(service.unread(of: nil) == 0)
    #expect(try await service.refresh().isEmpty)
    try service.markRead(id)
    let later = try double.service(folder)
    #expect(later.unread(of: "ann") == 0)
    #expect(later.conversations(of: "ann").first?.replies.count == 2)
    #expect(try await later.refresh().isEmpty)
    #expect(double.state.withLock { $0.secrets.count } == 1)
  }

  @Test("asks a server that says that there is more, and gets no further, no second time")
  func standstill() async throws {
    let service = try double.service(folder)
    let message = FeedbackMessage(number: 3, feedback: "other", text: "x", state: .answered, time: 1)
    let same = FeedbackReplies(messages: [message], next: 0, more: true)
    let reply = HTTPReply(status: 200, body: Array(try JSONEncoder().encode(same)))
    double.state.withLock { $0.answers = [reply, reply, reply] }
    #expect(try await service.refresh().isEmpty)
    #expect(double.state.withLock { $0.answers.count } == 2)
  }

  @Test("begins anew after an end at any moment: what is half there is no feedback, and damage holds nothing up")
  func ended() async throws {
    _ = try double.service(folder)
    let outbox = folder.path + "/feedback/outbox/"
    for name in [".new-half", "damaged"] {
      try FileManager.default.createDirectory(atPath: outbox + name, withIntermediateDirectories: true)
      try Data("{".utf8).write(to: URL(filePath: outbox + name + "/report.json"))
    }
    let service = try double.service(folder)
    #expect(try FileSystem.names(in: outbox) == ["damaged"])
    try service.submit(form("whole"))
    #expect(try await service.deliver(wifi))
    #expect(double.state.withLock { $0.reports.map(\.text) } == ["whole"])
    #expect(try FileSystem.names(in: outbox) == [])
  }

  @Test("forgets what had no news for longer than it is kept, and takes no form with a problem")
  func forgets() async throws {
    let service = try double.service(folder)
    #expect(throws: AppServiceError.self) { try service.submit(form("")) }
    try service.submit(form("old"))
    try await service.deliver(wifi)
    #expect(try double.service(folder, now: 1000 + 179 * 86_400).conversations(of: "ann").count == 1)
    #expect(try double.service(folder, now: 1000 + 181 * 86_400).conversations(of: "ann").isEmpty)
  }
}
