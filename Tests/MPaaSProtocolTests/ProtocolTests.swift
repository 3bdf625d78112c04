import Foundation
import MPaaSProtocol
import Testing

@Suite("What goes over the wire") struct ProtocolTests {
  @Test("the ready line has the keys that scripts rely on")
  func ready() throws {
    let ready = ServerReady(url: "u", uploads: "p", crashes: "c", appKey: "k", token: "t", dsn: "d")
    let members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(ready)) as? [String: String]
    #expect(members == ["url": "u", "uploads": "p", "crashes": "c", "app_key": "k", "token": "t", "dsn": "d"])
  }

  @Test("a task comes back as it was written")
  func task() throws {
    var task = CollectionTask(id: "1", app: "a", user: "u", from: 1, to: 2, created: 3, expires: 4)
    task.state = .uploading
    #expect(try JSONDecoder().decode(CollectionTask.self, from: JSONEncoder().encode(task)) == task)
  }
}
