import MPaaSFramework
import Testing

/// A micro-app that takes the notifications that name it.
final class Mailbox: MicroAppDelegate {
  @TaskLocal static var journal = Journal<String>()
  struct Refused: Error {}
  let journal = Mailbox.journal

  func application(
    _ application: MicroApp, didReceiveRemoteNotification notification: NotificationPayload,
    reply: EventReply<FetchResult>
  ) throws -> Bool {
    journal.note(application.name)
    if notification.values["breaks"]?.string == application.name { throw Refused() }
    guard notification.values["app"]?.string == application.name else { return false }
    reply.send(.newData)
    return true
  }
}

@MainActor @Suite("Notifications for micro-apps") struct NotificationTests {
  let journal = Journal<String>()

  func context() throws -> MobileContext {
    try Mailbox.$journal.withValue(journal) {
      let names = ["home", "shop", "mail"]
      let context = try MobileContext(
        RuntimeTable(applications: names.map { ApplicationEntry(name: $0, delegate: Mailbox.self) }))
      for name in names { try context.start(name) }
      return context
    }
  }

  @Test("go from the top of the stack down to the one that they are meant for")
  func topDown() async throws {
    let context = try context()
    #expect(await context.receive(NotificationPayload(identifier: "", values: ["app": "shop"])) == .newData)
    #expect(journal.entries == ["mail", "shop"])
    #expect(await context.receive(NotificationPayload(identifier: "")) == .noData)
    #expect(journal.entries.count == 5)
  }

  @Test("a micro-app that throws does not keep them from those below")
  func throwing() throws {
    let context = try context()
    let reply = EventReply(default: FetchResult.noData) { _ in }
    let values: PayloadValues = ["app": "home", "breaks": "shop"]
    let event = SystemEvent.didReceiveRemoteNotification(NotificationPayload(identifier: "", values: values), reply)
    let errors = context.trigger(event)
    #expect(errors.map(\.code) == [.applicationStepFailed])
    #expect(errors.first?.subject == .application("shop"))
    #expect(journal.entries == ["mail", "shop", "home"])
    #expect(reply.answer == .newData)
  }

  @Test("are handed to one micro-app alone where the caller knows which")
  func alone() throws {
    let context = try context()
    let reply = EventReply(default: FetchResult.noData) { _ in }
    let notification = NotificationPayload(identifier: "", values: ["app": "home"])
    #expect(try context.find("home")?.handle(notification, reply: reply) == true)
    #expect(journal.entries == ["home"])
  }
}
