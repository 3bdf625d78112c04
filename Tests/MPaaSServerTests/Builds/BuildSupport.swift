import Foundation
import MPaaSAppPackageTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Adds a build; the answer, whatever it is.
  func addBuild(_ bytes: [UInt8], query: String = "", _ headers: [String: String] = [:]) async throws -> TestAnswer {
    try await send("POST", ConsolePaths.builds + query, headers, body: bytes)
  }

  /// Adds a build that is taken.
  func build(_ bytes: [UInt8], query: String = "", _ headers: [String: String] = [:]) async throws -> BuildEntry {
    let answer = try await addBuild(bytes, query: query, headers)
    try #require(answer.status == 201, "\(answer.text)")
    return try JSONDecoder().decode(BuildEntry.self, from: Data(answer.body))
  }

  /// Makes a link; its path below the server's address.
  func linkBuild(_ build: BuildEntry, days: Int? = nil) async throws -> (link: BuildLink, path: String) {
    let wish = String(decoding: try JSONEncoder().encode(BuildLinkWish(days: days)), as: UTF8.self)
    let answer = try await send("POST", "\(ConsolePaths.builds)/\(build.id)/links", body: Array(wish.utf8))
    try #require(answer.status == 201, "\(answer.text)")
    let link = try JSONDecoder().decode(BuildLink.self, from: Data(answer.body))
    let url = try #require(link.url)
    try #require(url.hasPrefix(run.ready.url))
    return (link, String(url.dropFirst(run.ready.url.count)))
  }

  /// The files of unfinished uploads and builds.
  var unfinished: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/uploads")) ?? []
  }
}
