import Crypto
import Foundation
import MPaaSProtocol
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

/// A double of APNs, and the file of keys by which a server sends to it.
struct CampaignBench {
  static let topic = "com.example.shop"
  static let (keyID, team) = ("TESTKEY001", "TEAM000001")

  let double: PushDouble
  let folder: TemporaryFolder
  let asked: Asked
  /// The file for `mpaas serve --push`.
  var keys: String { folder.path + "/keys.json" }

  /// The requests that the double has got.
  final class Asked: Sendable {
    private let records = Mutex<[DoubleRecord]>([])
    func add(_ record: DoubleRecord) { records.withLock { $0.append(record) } }
    var all: [DoubleRecord] { records.withLock { $0 } }
    /// The tokens that were accepted, each as often as it was.
    var accepted: [String] {
      all.filter { $0.status == 200 }.map { String($0.path.dropFirst("/3/device/".count)) }
    }
  }

  /// - Parameters:
  ///   - tokens: The tokens that the double knows: those of these numbers.
  ///   - time: The clock of the double; nil for one that goes.
  init(
    tokens: Range<Int>, time: Time? = nil, _ change: (inout DoubleConfiguration) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    let pem = P256.Signing.PrivateKey().pemRepresentation
    let key = try ProviderKey(pem: pem, keyID: Self.keyID, teamID: Self.team)
    let members: JSONValue = [
      "key_id": .string(Self.keyID), "team_id": .string(Self.team), "public_key": .string(key.publicPEM),
    ]
    var configuration = try Array(members.line.utf8).withUnsafeBytes { try DoubleConfiguration($0) }
    configuration.topics[Self.topic] = Set(tokens.map(Self.token))
    change(&configuration)
    let asked = Asked()
    self.asked = asked
    double = try await PushDouble.listen(on: "127.0.0.1:0", configuration) {
      time?.now ?? Date().timeIntervalSince1970
    } record: {
      asked.add($0)
    }
    try pem.write(toFile: folder.path + "/key.p8", atomically: true, encoding: .utf8)
    try double.authority.write(toFile: folder.path + "/ca.pem", atomically: true, encoding: .utf8)
    try writeKeys()
  }

  /// Writes the file of keys.
  func writeKeys(url: String? = nil, _ more: JSONValue.Object = [:]) throws {
    let url = url ?? double.url
    var key: JSONValue.Object = [
      "provider": "apns", "file": "key.p8", "key_id": .string(Self.keyID), "team_id": .string(Self.team),
      "topics": ["com.example.*"], "production": .string(url), "sandbox": .string(url), "ca": "ca.pem", "patience": 2,
    ]
    for (name, value) in more { key[name] = value }
    try JSONValue.object(["keys": [.object(key)]]).line.write(toFile: keys, atomically: true, encoding: .utf8)
  }

  static func token(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  static func campaign(_ id: String, _ more: [String: Any] = [:]) throws -> [UInt8] {
    let members: [String: Any] = ["id": id, "topic": topic, "texts": ["en": ["body": "Hello!"]]]
    return Array(try JSONSerialization.data(withJSONObject: members.merging(more) { $1 }))
  }
}

extension TestServer {
  /// Writes installations into the registry, as if apps had told them.
  func enroll(_ numbers: Range<Int>, _ change: @escaping @Sendable (Int, inout PushInstallation) -> Void = { _, _ in })
    async throws
  {
    let app = run.ready.appKey
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 5000) {
      let part = start..<min(start + 5000, numbers.upperBound)
      try await services.store.write { database in
        for number in part {
          var report = PushInstallation(
            installation: "i\(number)", token: CampaignBench.token(number), user: "u\(number)",
            topic: CampaignBench.topic, registered: 1_000)
          change(number, &report)
          _ = try PushStore.take(report, app: app, at: 2_000, in: database)
        }
      }
    }
  }

  @discardableResult
  func create(_ id: String, _ more: [String: Any] = [:], query: String = "") async throws -> TestAnswer {
    try await send("POST", ServerPaths.pushCampaigns + query, body: try CampaignBench.campaign(id, more))
  }

  func campaign(_ id: String) async throws -> PushCampaignEntry {
    let answer = try await send("GET", "\(ServerPaths.pushCampaigns)/\(id)")
    return try JSONDecoder().decode(PushCampaignDetail.self, from: Data(answer.body)).campaign
  }

  /// Waits until a campaign has come to a state.
  func wait(
    _ id: String, seconds: Double = 60, for isThere: (PushCampaignEntry) -> Bool = { $0.state == .done }
  ) async throws -> PushCampaignEntry {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      let entry = try await campaign(id)
      if isThere(entry) { return entry }
      try #require(ContinuousClock.now < end, "\(entry)")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func deliveries(_ id: String, _ query: String = "") async throws -> [PushDelivery] {
    let answer = try await send("GET", "\(ServerPaths.pushCampaigns)/\(id)/deliveries\(query)")
    return try JSONDecoder().decode(PushDeliveryPage.self, from: Data(answer.body)).deliveries
  }
}

extension PushCampaignCounts {
  /// The numbers of those that were asked for, one way or the other.
  var ends: [Int64] { [accepted, failed, unknown] }
}
