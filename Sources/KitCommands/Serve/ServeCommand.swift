import ArgumentParser
import CommandKit
import MPaaSObjectStore
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `mpaas serve`: becomes the second program, with a configuration for its server.
struct ServeCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "serve") }

  /// The address that it listens at unless told otherwise.
  private static let usualAddress = "127.0.0.1:8475"

  @Option(help: .text("command.serve.data", valueName: "folder"), completion: .directory)
  var data: String?

  @Option(help: .text("command.serve.listen", valueName: "address"))
  var listen: String?

  @Option(help: .text("command.serve.database", valueName: "database"))
  var database: String?

  @Option(help: .text("command.serve.blobs", valueName: "place"))
  var blobs: String?

  @Option(help: .text("command.serve.certificate", valueName: "file"), completion: .file())
  var certificate: String?

  @Option(help: .text("command.serve.private-key", valueName: "file"), completion: .file())
  var privateKey: String?

  @Option(help: .text("command.serve.public-url", valueName: "url"))
  var publicURL: String?

  @Option(help: .text("command.serve.symbols", valueName: "path"), completion: .file())
  var symbols: [String] = []

  @Option(help: .text("command.serve.rules", valueName: "file"), completion: .file())
  var rules: String?

  @Option(help: .text("command.serve.limit", valueName: "name=number"))
  var limit: [String] = []

  @Option(help: .text("command.serve.request-log", valueName: "file"), completion: .file())
  var requestLog: String?

  @Option(help: .text("command.serve.approvals", valueName: "number"))
  var approvals: Int?

  @Option(help: .text("command.serve.push", valueName: "file"), completion: .file(extensions: ["json"]))
  var push: String?

  @Option(help: .text("command.serve.mail", valueName: "file"), completion: .file(extensions: ["json"]))
  var mail: String?

  @Option(help: .text("command.serve.oidc", valueName: "file"), completion: .file(extensions: ["json"]))
  var oidc: String?

  @Option(help: .text("command.serve.modules", valueName: "file"), completion: .file(extensions: ["toml"]))
  var modules: String?

  @Flag(help: .text("command.serve.allow-private-webhooks"))
  var allowPrivateWebhooks = false

  @Flag(help: .text("command.serve.device-secrets"))
  var deviceSecrets = false

  @Flag(help: .text("command.serve.new-token"))
  var newToken = false

  @OptionGroup var common: CommonOptions

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let configuration = try configuration(in: context)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let words = ["--configuration", String(decoding: try encoder.encode(configuration), as: UTF8.self)]
    throw try ServerBinary(environment: context.environment).become(words)
  }

  func configuration(in context: Context) throws -> ServerConfiguration {
    var configuration = ServerConfiguration(
      data: data ?? context.directories.data + "/server", listen: listen ?? Self.usualAddress)
    configuration.database = try database.map(Self.place)
    configuration.blobs = try blobs.map(Self.blobs(at:))
    guard (certificate == nil) == (privateKey == nil) else { throw Diagnostic("serve-certificate", exit: .usage) }
    configuration.certificate = certificate
    configuration.privateKey = privateKey
    configuration.publicURL = publicURL
    configuration.symbols = symbols
    configuration.rules = rules
    configuration.push = push
    configuration.mail = mail
    configuration.oidc = oidc
    configuration.modules = modules
    configuration.requestLog = requestLog
    configuration.allowsPrivateWebhooks = allowPrivateWebhooks
    configuration.needsDeviceSecrets = deviceSecrets
    configuration.makesToken = newToken
    if let approvals {
      guard (0...100).contains(approvals) else {
        throw Diagnostic("serve-approvals", ["approvals": "\(approvals)"], exit: .usage)
      }
      configuration.approvals = approvals
    }
    configuration.json = context.terminal.settings.isJSON
    configuration.language = context.catalogue.language.rawValue
    configuration.quiet = context.terminal.settings.verbosity == .quiet
    for word in limit { try Self.set(word, in: &configuration.limits) }
    return configuration
  }

  /// The path of a database in a file, or the address of one at a server.
  private static func place(of database: String) throws -> String {
    guard let place = ServerConfiguration.database(database) else {
      throw Diagnostic("serve-database", ["database": database], exit: .usage)
    }
    return place
  }

  /// The path of a folder of blobs, or the address of a place in a bucket.
  private static func blobs(at blobs: String) throws -> String {
    if blobs.hasPrefix("folder:"), blobs.count > 7 { return String(blobs.dropFirst(7)) }
    guard S3Address(blobs) != nil else { throw Diagnostic("serve-blobs", ["blobs": blobs], exit: .usage) }
    return blobs
  }

  /// The limits by their names on the command line.
  private static let limits: [(name: String, set: @Sendable (inout ServerConfiguration.Limits, Int64) -> Void)] = [
    ("upload", { $0.upload = $1 }), ("report", { $0.report = $1 }), ("decompressed", { $0.decompressed = $1 }),
    ("ratio", { $0.ratio = Int(clamping: $1) }), ("idle", { $0.idle = Int(clamping: $1) }),
    ("least-rate", { $0.leastRate = Int(clamping: $1) }), ("rate", { $0.rate = Int(clamping: $1) }),
    ("waiting", { $0.waiting = Int(clamping: $1) }), ("tasks", { $0.tasks = Int(clamping: $1) }),
    ("connections", { $0.connections = Int(clamping: $1) }), ("in-flight", { $0.inFlight = $1 }),
    ("in-flight-each", { $0.inFlightEach = $1 }),
    ("disk", { $0.disk = $1 }), ("days", { $0.days = Int(clamping: $1) }),
    ("expiry", { $0.expiry = Int(clamping: $1) }),
  ]

  private static func set(_ word: String, in limits: inout ServerConfiguration.Limits) throws {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let number = Int64(parts[1]), number > 0,
      let limit = Self.limits.first(where: { $0.name == parts[0] })
    else {
      let names = Self.limits.map(\.name).joined(separator: ", ")
      throw Diagnostic("serve-limit", ["limit": word, "names": names], exit: .usage)
    }
    limit.set(&limits, number)
  }
}
