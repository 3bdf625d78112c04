import CHotpatchClient
import MPaaSLock
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatch

@Suite("The hotpatch client for C", .serialized) struct ClientInCTests {
  /// The start's view of a configuration.
  private func start(_ change: (inout hotpatch_configuration) -> Void, room: Int = 256) -> (status: CInt, error: String)
  {
    var configuration = hotpatch_configuration()
    change(&configuration)
    var error = [CChar](repeating: 1, count: room + 1)
    let status = hotpatch_client_start(&configuration, &error, room)
    let end = error.firstIndex(of: 0) ?? 0
    return (status, String(decoding: error[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  @Test("says why it cannot start, as far as there is room")
  func refusal() {
    let (status, error) = start { _ in }
    #expect(status == -1)
    #expect(error.count > 10)
    #expect(start({ _ in }, room: 8).error == String(error.prefix(7)))
    var empty = hotpatch_configuration()
    #expect(hotpatch_client_start(&empty, nil, 0) == -1)
  }

  @Test("refuses a key that is none")
  func keys() {
    let (status, error) = "no key".withCString { key in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 2) { keys in
        keys.initialize(repeating: nil)
        keys[0] = key
        return start { $0.keys = UnsafePointer(keys.baseAddress) }
      }
    }
    #expect(status == -1)
    #expect(!error.isEmpty)
  }

  @Test("does nothing before it has started")
  func before() {
    hotpatch_client_confirm_healthy()
    hotpatch_client_enter_foreground()
    hotpatch_client_follow()
    let isThere = HotpatchClient.ofProgram.withLock { $0 != nil }
    #expect(!isThere)
  }
}
