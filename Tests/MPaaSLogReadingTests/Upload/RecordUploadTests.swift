import Foundation
import MPaaSLogReading
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("An upload of the records of folders") struct RecordUploadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A folder in which a record of each type waits.
  private func folder(_ name: String, _ types: LogType...) throws -> String {
    let path = folder.path + "/" + name
    let files = try MonitorFiles(path)
    for type in types { _ = files.append(type, "event", []) }
    return path
  }

  /// An upload to a server that cannot be reached, which counts the requests.
  private func upload(
    _ types: LogType..., over network: DeviceState.Network = .wifi, requests: @escaping @Sendable () -> Void = {}
  ) -> RecordUpload {
    let client = HTTPClient(exchange: { call throws(HTTPError) in
      requests()
      throw HTTPError(.unreachable, url: call.url)
    })
    return RecordUpload(
      to: LogServer("http://server", token: nil, client: client), as: LogIdentity(app: "shop", device: "d1"), types,
      device: DeviceState(network: network))
  }

  @Test("tells of each folder in its order")
  func order() async throws {
    let folders = [try folder("b"), try folder("a")]
    let results = try await upload().run(folders)
    #expect(results.map(\.folder) == folders)
    #expect(results.map(\.result) == [RecordUploadResult(), RecordUploadResult()])
  }

  @Test("ends at the first batch that is not taken, with what waits still there")
  func unreachable() async throws {
    let count = Mutex(0)
    let folders = [try folder("a", .behavior), try folder("b", .behavior)]
    await #expect(throws: LogError.self) {
      try await upload(requests: { count.withLock { $0 += 1 } }).run(folders)
    }
    #expect(count.withLock { $0 } == 1)
    #expect(try MonitorFiles(folders[0]).waiting[.behavior]?.records == 1)
  }

  @Test("brings only types that are asked for")
  func types() async throws {
    let results = try await upload(.crash).run([try folder("a", .behavior)])
    #expect(results.first?.result.batches == 0)
  }

  @Test("holds back what no network is there for")
  func heldBack() async throws {
    let results = try await upload(over: .none).run([try folder("a", .behavior)])
    #expect(results.first?.result.heldBack == [.behavior])
  }
}
