import Foundation
import MPaaSFramework
import Testing

/// Does with events what a test says.
final class Answering: FrameworkModule {
  @TaskLocal static var action: (@MainActor (SystemEvent) throws -> Void)?
  private let action = Answering.action
  func handle(_ event: SystemEvent, in context: MobileContext) throws { try action?(event) }
}

final class AnsweringToo: FrameworkModule {
  func handle(_ event: SystemEvent, in context: MobileContext) throws {
    if case .didReceiveRemoteNotification(_, let reply) = event { reply.send(.noData) }
    if case .watchRequest(_, let reply) = event { reply.send(["from": "second"]) }
    if case .willPresentNotification(_, let reply) = event { reply.send(.sound) }
  }
}

@MainActor @Suite("Events that are answered") struct ModuleReplyTests {
  struct Refused: Error {}
  let push = NotificationPayload(identifier: "1")

  func context(_ action: @escaping @MainActor (SystemEvent) throws -> Void) throws -> MobileContext {
    let context = try MobileContext(
      RuntimeTable(modules: [ModuleEntry(type: Answering.self, priority: 1), ModuleEntry(type: AnsweringToo.self)]))
    try Answering.$action.withValue(action) { try context.startModules() }
    return context
  }

  @Test("payloads are JSON: numbers, lists and objects keep their kinds there and back")
  func values() throws {
    let text = #"{"aps":{"alert":{"body":"B","title":"T"},"badge":3},"ids":[1,2.5,null,true],"name":"x"}"#
    let values = try JSONDecoder().decode(PayloadValues.self, from: Data(text.utf8))
    let push = NotificationPayload(remote: values)
    #expect(push.title == "T")
    #expect(push.body == "B")
    #expect(push.values["aps"]?["badge"]?.integer == 3)
    #expect(push.values["ids"] == [1, 2.5, nil, true])
    #expect(values["ids"]?[1]?.number == 2.5)
    #expect(values["ids"]?[9] == nil)
    #expect(NotificationPayload(remote: ["aps": ["alert": "plain"]]).body == "plain")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(values), as: UTF8.self) == text)
  }

  @Test("all answers to a notification are waited for and joined, also one that comes later")
  func fetch() async throws {
    let context = try context { event in
      guard case .didReceiveRemoteNotification(_, let reply) = event else { return }
      Task.detached {
        await Task.yield()
        reply.send(.newData)
      }
    }
    #expect(await context.receive(push) == .newData)
  }

  @Test("a handler that throws makes the notification fail, and nothing that threw hides new data")
  func failing() async throws {
    let context = try context { _ in throw Refused() }
    #expect(await context.receive(push) == .failed)
    #expect(FetchResult.failed.joined(with: .newData) == .newData)
    #expect(FetchResult.noData.joined(with: .noData) == .noData)
  }

  @Test("the first answer goes to the watch, and nothing where nobody answers")
  func watch() async throws {
    let first = try context { event in
      if case .watchRequest(let values, let reply) = event { reply.send(["got": values["n"] ?? nil]) }
    }
    #expect(await first.answer(watch: ["n": 7]) == ["got": 7])
    #expect(await (try context { _ in }).answer(watch: [:]) == ["from": "second"])
    #expect(await (try MobileContext()).answer(watch: [:]) == nil)
  }

  @Test("a watch gets nothing where a handler keeps the reply for too long, and nothing again later")
  func lateWatch() async throws {
    let kept = Kept()
    let context = try MobileContext(RuntimeTable(modules: [ModuleEntry(type: Answering.self, priority: 1)]))
    let keep: @MainActor (SystemEvent) throws -> Void = { event in
      if case .watchRequest(_, let reply) = event { kept.reply = reply }
    }
    try Answering.$action.withValue(keep) { try context.startModules() }
    #expect(await context.answer(watch: [:], within: .milliseconds(20)) == nil)
    #expect(kept.reply?.send(["late": true]) == false)
  }

  @MainActor final class Kept { var reply: EventReply<PayloadValues?>? }

  @Test("an activity is taken up where a module says so; how a notification is shown is all that was asked for")
  func activity() async throws {
    let context = try context { event in
      switch event {
      case .continueUserActivity(let activity, let reply): reply.send(activity.values["item"]?.integer == 4)
      case .willPresentNotification(_, let reply): reply.send([.banner, .badge])
      default: break
      }
    }
    #expect(context.resume(UserActivity(type: "t", values: ["item": 4])))
    let empty = try MobileContext()
    #expect(!context.resume(UserActivity(type: "t")))
    #expect(!empty.resume(UserActivity(type: "t")))
    #expect(await context.presentation(of: push) == [.banner, .badge, .sound])
    await context.respond(to: push, action: "open", text: "hello")
  }

  @Test("exactly one answer is given, however many are sent")
  func once() {
    let given = Journal<Int>()
    do {
      let reply = EventReply(default: 0) { given.note($0) }
      #expect(reply.send(1))
      #expect(!reply.send(2))
      #expect(reply.answer == 1)
    }
    do { _ = EventReply(default: 9) { given.note($0) } }
    #expect(given.entries == [1, 9])
  }
}
