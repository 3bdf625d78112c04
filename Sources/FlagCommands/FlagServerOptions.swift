import ArgumentParser
import CommandKit
import LogCommands
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The server whose flags are meant, and whose of them.
struct FlagServerOptions: ParsableArguments {
  @OptionGroup var server: ServerOptions

  @Option(help: .text("command.flags.token", valueName: "token"))
  var token: String?

  @Option(help: .text("command.flags.app", valueName: "app"))
  var app: String?

  @Option(help: .text("command.flags.environment", valueName: "name"))
  var environment: String?

  /// - Throws: As `ServerOptions` does where none is named.
  func flagServer(in context: Context) throws -> FlagServer {
    let chosen = try server.server(in: context)
    let server = token.map { chosen.with(token: $0) } ?? chosen
    return FlagServer(server, app: app, environment: environment)
  }
}

/// The state that a command reads: of a file, or of a server.
struct FlagSourceOptions: ParsableArguments {
  @Option(help: .text("command.flags.state", valueName: "file"), completion: .file(extensions: ["json"]))
  var state: String?

  @OptionGroup var server: FlagServerOptions

  func written(in context: Context) async throws -> WrittenFlags {
    if let state { return try context.writtenFlags(at: state) }
    return try await context.flagServer(server).state()
  }

  func state(in context: Context) async throws -> FlagState {
    if let state { return try context.flagState(at: state) }
    return try await written(in: context).state
  }
}

/// The way of a change: at once, or by a proposal.
struct FlagChangeOptions: ParsableArguments {
  @Option(name: [.customShort("m"), .long], help: .text("command.flags.comment", valueName: "text"))
  var comment = ""

  @Flag(help: .text("command.flags.propose-only"))
  var propose = false

  @Option(help: .text("command.flags.at", valueName: "time"))
  var at: String?

  func way(in context: Context) throws -> FlagWay {
    let time = try at.map { try context.flagTime($0) }
    return propose || time != nil ? .proposal(at: time) : .change
  }
}

extension Context {
  /// The state of a file that is to be set or published, as it was written; of standard input for `-`.
  func writtenFlags(at path: String) throws -> WrittenFlags {
    let data = try data(at: path)
    do throws(FlagError) {
      return try WrittenFlags(data.array, toSet: true)
    } catch {
      throw error.inFile(name(ofData: path))
    }
  }

  /// The server of the options.
  ///
  /// - Throws: `FlagError` `flags-source-missing` where neither a server nor a file is named.
  func flagServer(_ options: FlagServerOptions) throws -> FlagServer {
    do {
      return try options.flagServer(in: self)
    } catch let error as Diagnostic where error.id == "log-server-missing" {
      throw FlagError(.sourceMissing, ["folder": error.values["folder"] ?? ""])
    }
  }

  /// A time to come in seconds since 1970: `12h` or `14d` from now, a day or a time in UTC.
  ///
  /// - Throws: `FlagError` `flags-time` where the text is none, or is over.
  func flagTime(_ text: String) throws -> Double {
    guard let time = Date(text, after: now()) ?? Date(utc: text), time > now() else {
      throw FlagError(.time, ["value": text])
    }
    return time.timeIntervalSince1970
  }
}

extension FlagError.Code {
  /// Neither a state nor a server is named.
  static var sourceMissing: Self { FlagError.Code("flags-source-missing", exit: .usage) }
  /// A time that is none, or that is over.
  static var time: Self { FlagError.Code("flags-time", exit: .usage) }
}
