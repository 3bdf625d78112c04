import Foundation
import MPaaSTestSupport
import Synchronization
public import Testing

/// A server of PostgreSQL that a test run starts for itself, on a socket in a temporary folder.
///
/// It ends with this process, however that ends. Nothing of it has to outlive the machine: it does not wait for the disk.
public final class PostgresServer: Sendable {
  /// The server of all tests of this process; nil where PostgreSQL is not installed or does not start.
  public static let shared: PostgresServer? = isInstalled ? try? PostgresServer() : nil

  /// Tells whether the programs of PostgreSQL's server are on this machine.
  public static let isInstalled = ["initdb", "postgres", "psql"].allSatisfy { program($0) != nil }

  private let folder: URL
  private let running = Mutex<(process: Process, words: Pipe)?>(nil)
  private let number = Mutex(0)

  /// Makes the server's folder and starts it.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mpaas-pg-\(UInt32.random(in: 0...(.max)))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The server refuses to run as root.
    if getuid() == 0 { chown(folder.path, Self.nobody, Self.nobody) }
    let made = try Command.run(
      "/bin/sh",
      [
        "-c", Self.asNobody + #""$0" -D "$1/data" -U postgres -E UTF8 --locale=C -A trust -N >/dev/null"#,
        Self.program("initdb") ?? "", folder.path,
      ], directory: folder)
    guard made.status == 0 else { throw Failure(text: made.errors) }
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The reason why the server could not be made ready.
  public struct Failure: Error {
    /// The words of the program that failed.
    public let text: String
  }

  private static let nobody: UInt32 = 65534
  private static let asNobody =
    getuid() == 0 ? "exec setpriv --reuid=\(nobody) --regid=\(nobody) --clear-groups " : "exec "

  private static func program(_ name: String) -> String? {
    if let found = Command.find(name) { return found }
    let versions = "/usr/lib/postgresql"
    let folders = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []).sorted().reversed()
    return folders.map { "\(versions)/\($0)/bin/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts the server, which must not run.
  public func start() throws {
    let process = Process()
    let words = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    // The shell waits for a word that never comes, and for the end of who would say it.
    let watch = #"""
      "$0" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=on \
        -c max_connections=400 -c shared_buffers=64MB -c log_min_messages=fatal <&- >>"$1/log" 2>&1 &
      server=$!
      read word
      kill -INT $server
      wait $server
      [ -n "$word" ] || rm -rf "$1"
      """#
    process.arguments = [
      "-c", Self.asNobody + #"/bin/sh -c "$0" "$1" "$2""#, watch, Self.program("postgres") ?? "", folder.path,
    ]
    process.currentDirectoryURL = folder
    process.standardInput = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    running.withLock { $0 = (process, words) }
    let deadline = Date.now.addingTimeInterval(120)
    while true {
      do { return try run("SELECT 1") } catch {
        guard Date.now < deadline else { throw error }
        usleep(50_000)
      }
    }
  }

  /// Ends the server, and all its connections with it.
  public func stop() {
    guard let (process, words) = running.withLock({ $0.take() }) else { return }
    try? words.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
    process.waitUntilExit()
  }

  /// Runs statements as the owner of the server; what they give is passed over.
  public func run(_ sql: String, in database: String = "postgres") throws {
    let outcome = try Command.run(
      Self.program("psql") ?? "psql",
      ["-X", "-q", "-h", folder.path, "-U", "postgres", "-d", database, "-v", "ON_ERROR_STOP=1", "-c", sql])
    guard outcome.status == 0 else { throw Failure(text: outcome.errors) }
  }

  /// Makes an empty database.
  ///
  /// - Returns: Its address.
  public func database() throws -> String {
    let name = number.withLock { number in
      number += 1
      return "d\(number)"
    }
    try run("CREATE DATABASE \(name)")
    return address(of: name)
  }

  /// The address of a database of the server.
  public func address(of name: String) -> String {
    let socket = folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "postgres://postgres@/\(name)?host=\(socket)"
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where PostgreSQL's server is not installed.
  public static var postgres: Self {
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: run scripts/bootstrap --peers")
  }
}
