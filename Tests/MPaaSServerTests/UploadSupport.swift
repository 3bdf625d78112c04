import Crypto
import Foundation
import MPaaSTestSupport

@testable import MPaaSServer

extension TestServer {
  /// Sends a request of tus; `path` may be a whole Location.
  func tus(
    _ method: String, _ path: String = "/uploads", _ headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> TestAnswer {
    var all = ["Tus-Resumable": "1.0.0"].merging(headers) { $1 }
    if method == "PATCH", all["Content-Type"] == nil { all["Content-Type"] = "application/offset+octet-stream" }
    return try await send(method, Self.path(path), all, body: body)
  }

  /// Sends a request of the IETF draft.
  func draft(
    _ method: String, _ path: String = "/uploads", _ headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> TestAnswer {
    var all = ["Upload-Draft-Interop-Version": "8"].merging(headers) { $1 }
    if method == "PATCH", all["Content-Type"] == nil { all["Content-Type"] = "application/partial-upload" }
    return try await send(method, Self.path(path), all, body: body)
  }

  static func path(_ location: String) -> String {
    location.range(of: "/uploads").map { String(location[$0.lowerBound...]) } ?? location
  }

  /// Makes an upload of tus and gives its Location.
  func made(_ size: Int, _ headers: [String: String] = [:]) async throws -> String {
    let answer = try await tus("POST", "/uploads", ["Upload-Length": "\(size)"].merging(headers) { $1 })
    return answer.headers["location"] ?? "none: \(answer.status) \(answer.text)"
  }

  /// The number of bytes that the server has of an upload; -1 where it has none of that name.
  ///
  /// On a busy machine the request that was cut before may not be over yet (423), or this one be found too slow.
  func offset(_ location: String) async throws -> Int {
    var answer = try await tus("HEAD", location)
    for _ in 0..<100 where [0, 408, 423].contains(answer.status) {
      try await Task.sleep(for: .milliseconds(20))
      answer = try await tus("HEAD", location)
    }
    return Int(answer.headers["upload-offset"] ?? "") ?? -1
  }
}

enum Sample {
  static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes.prefix(count))
  }

  static func base64(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }
  static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  static func metadata(_ values: [String: String]) -> String {
    values.map { "\($0.key) \(base64(Array($0.value.utf8)))" }.joined(separator: ",")
  }
}
