import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension Trait where Self == ConditionTrait {
  /// Skips tests of several servers where PostgreSQL or SeaweedFS is not installed.
  static var severalServers: Self {
    .enabled(
      if: PostgresServer.isInstalled && SeaweedStore.isInstalled,
      "PostgreSQL and SeaweedFS are not installed: run scripts/bootstrap --peers")
  }
}

/// A database of PostgreSQL and a place in a bucket that several servers share, each with a data folder of its own.
struct SharedConsole: Sendable {
  let database: String
  let blobs: String

  init() throws {
    database = try #require(PostgresServer.shared).database()
    blobs = try #require(SeaweedStore.shared).address()
  }

  func server(
    in folder: TemporaryFolder? = nil, time: Time? = nil, isTidied: Bool = true,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws -> TestServer {
    try await TestServer(in: folder, time: time, isTidied: isTidied) { configuration in
      configuration.database = database
      configuration.blobs = blobs
      configure(&configuration)
    }
  }

  /// A server as a process of its own; `token` is one that the console has.
  func process(in folder: TemporaryFolder, token: String? = nil) throws -> ServerProcess {
    if let token { try Data(token.utf8).write(to: folder.url.appending(path: "token")) }
    return try ServerProcess(folder) { configuration in
      configuration.database = database
      configuration.blobs = blobs
      configuration.limits.rate = 1_000_000
    }
  }

  /// The first number that a query gives.
  func number(_ sql: String) throws -> Int64 {
    try DatabaseAddress(database).open(.readOnly).row(sql) { $0.integer(0) } ?? -1
  }

  func text(_ sql: String) throws -> String {
    try DatabaseAddress(database).open(.readOnly).row(sql) { $0.text(0) } ?? ""
  }

  /// Does a statement beside the servers.
  func run(_ sql: String) throws { try DatabaseAddress(database).open().run(sql) }
}

/// Asks until a condition holds; says how many seconds that took, and nil where it does not in time.
func seconds(
  within most: Double = 60, until condition: () async throws -> Bool
) async throws -> Double? {
  let start = ContinuousClock.now
  while try await !condition() {
    guard (ContinuousClock.now - start) / .seconds(1) < most else { return nil }
    try await Task.sleep(for: .milliseconds(20))
  }
  return (ContinuousClock.now - start) / .seconds(1)
}
