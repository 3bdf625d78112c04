import Dispatch
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The server's program: reads its configuration and serves until it is ended.
package enum ServerProgram {
  /// - Parameter arguments: `--configuration JSON`, a `ServerConfiguration`.
  /// - Returns: The exit status.
  package static func main(_ arguments: [String]) async -> Int32 {
    // Only the owner may read what is stored.
    umask(0o077)
    // The keys of TLS and of signing are in its memory from now on.
    CoreDumps.belongToProgram()
    CoreDumps.forbid()
    var settings = OutputSettings()
    let environment = ProcessInfo.processInfo.environment
    var catalogue = Catalogue(language: .english)
    do {
      let configuration = try configuration(arguments)
      catalogue = Catalogue(language: Language(tag: configuration.language) ?? .english)
      settings.isJSON = configuration.json
      settings.verbosity = configuration.quiet ? .quiet : .normal
      let terminal = Terminal(catalogue: catalogue, settings: settings, environment: environment)
      if let file = configuration.backup {
        let now = Date().timeIntervalSince1970
        try terminal.results.put(try ServerBackup(configuration, known: Schema.steps.count).write(to: file, at: now))
      } else if let file = configuration.restore {
        try terminal.results.put(try ServerRestoration(configuration, known: Schema.steps.count).restore(file))
      } else if configuration.migrate != nil {
        try terminal.results.put(try await migrated(configuration, terminal))
      } else {
        try await serve(configuration, terminal, ServiceNotice(environment))
      }
      return ExitStatus.done.rawValue
    } catch {
      let diagnostic =
        (error as? any DiagnosticConvertible)?.diagnostic ?? ServerError(.fault, ["reason": "\(error)"]).diagnostic
      Terminal(catalogue: catalogue, settings: settings, environment: environment).error(diagnostic)
      return diagnostic.exit.rawValue
    }
  }

  private static func configuration(_ arguments: [String]) throws -> ServerConfiguration {
    guard arguments.count == 2, arguments[0] == "--configuration" else {
      throw ServerError(.configuration, ["reason": "--configuration JSON"])
    }
    do {
      return try JSONDecoder().decode(ServerConfiguration.self, from: Data(arguments[1].utf8))
    } catch {
      throw ServerError(.configuration, ["reason": "--configuration: \(arguments[1])"])
    }
  }

  /// Migrates; a signal ends it before the next page.
  private static func migrated(
    _ configuration: ServerConfiguration, _ terminal: Terminal
  ) async throws -> MigrationReport {
    try await InterruptibleWork.run {
      try ConsoleMigration(configuration, steps: Schema.steps).run(
        { terminal.progress(terminal.catalogue.text("text.server-migrating"), total: $0) },
        isEnded: { Task.isCancelled })
    }.value
  }

  private static func serve(
    _ configuration: ServerConfiguration, _ terminal: Terminal, _ notice: ServiceNotice
  ) async throws {
    let lock = try DataFolderLock(configuration.data)
    defer { withExtendedLifetime(lock) {} }
    // Before anybody can know that it is ready to be ended.
    let end = EndRequest()
    let run = try await ServerRun(configuration, over: { kill(getpid(), SIGTERM) })
    try terminal.results.put(ServerGreeting(ready: run.ready))
    notice.send("READY=1\nSTATUS=\(run.ready.url)")
    let alive = Task {
      while let interval = notice.interval, !Task.isCancelled {
        // A store that answers nothing is no life.
        if (try? await run.services.store.read { _ in true }) == true { notice.send("WATCHDOG=1") }
        try? await Task.sleep(for: .seconds(interval))
      }
    }
    await withCheckedContinuation { continuation in
      // Not a task: whoever waits for a signal blocks a thread, and tasks have few.
      DispatchQueue.global().async {
        end.wait()
        continuation.resume()
      }
    }
    alive.cancel()
    notice.send("STOPPING=1")
    await run.end()
    // Started again, by systemd for one, it signs in anew.
    if run.services.session?.isOver == true { throw ServerError(.signedOut) }
  }
}

/// The greeting for people and scripts when the server is ready.
struct ServerGreeting: Presentable {
  let ready: ServerReady

  func encode(to encoder: any Encoder) throws { try ready.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    let lines = [
      ("text.server-uploads", ready.uploads), ("text.server-app-key", ready.appKey),
      (ready.token == nil ? "text.server-token-told" : "text.server-token", ready.token ?? ""),
      ("text.server-dsn", ready.dsn),
    ]
    let first = StyledText(catalogue.text("text.server-ready", ["url": ready.url]), .good)
    return Document(lines: [first] + lines.map { StyledText(catalogue.text($0.0, ["value": $0.1])) })
  }
}
