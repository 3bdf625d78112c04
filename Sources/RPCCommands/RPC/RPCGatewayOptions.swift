import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSRPC
import MPaaSSupport
import MPaaSTerminal

/// The gateway, and the way to it.
struct RPCGatewayOptions: ParsableArguments {
  @Option(help: .text("command.rpc.gateway", valueName: "url"))
  var gateway: String?

  @Option(help: .text("command.rpc.config", valueName: "file"), completion: .file(extensions: ["plist"]))
  var config: String?

  @Option(help: .text("command.rpc.environment", valueName: "environment"))
  var environment: String?

  @Option(help: .text("command.rpc.app", valueName: "app-key"))
  var app: String?

  @Option(help: .text("command.rpc.workspace", valueName: "id"))
  var workspace: String?

  @Option(name: .customLong("header"), help: .text("command.rpc.header", valueName: "name: value"))
  var fields: [String] = []

  @Option(help: .text("command.rpc.wire", valueName: "headers|form"))
  var wire = RPCConfiguration.Wire.headers

  @Option(help: .text("command.rpc.timeout", valueName: "seconds"))
  var timeout = 30.0

  @Option(help: .text("command.rpc.attempts", valueName: "number"))
  var attempts = 1

  @Option(name: .customLong("key"), help: .text("command.rpc.idempotency-key", valueName: "key"))
  var idempotencyKey: String?

  @Option(help: .text("command.rpc.compress", valueName: "gzip|br|zstd"))
  var compress: RPCContentCoding?

  @Option(help: .text("command.rpc.ca", valueName: "file"), completion: .file())
  var ca: String?

  @Option(help: .text("command.rpc.pin", valueName: "sha256"))
  var pin: [String] = []

  @Flag(help: .text("command.rpc.allow-cleartext"))
  var allowCleartext = false

  func validate() throws {
    guard (0.001...3600).contains(timeout), (1...20).contains(attempts) else {
      throw ValidationError(Catalogue.current.text("text.rpc-limits"))
    }
  }

  func configuration(in context: Context) throws -> RPCConfiguration {
    var configuration = RPCConfiguration(gateway: gateway)
    if gateway == nil { try addGateway(&configuration, in: context) }
    configuration.wire = wire
    configuration.timeout = .seconds(timeout)
    configuration.retry = RPCRetryPolicy(attempts: attempts)
    configuration.compression = compress
    configuration.compressionThreshold = 0
    configuration.allowsCleartext = allowCleartext
    configuration.pins = pin
    configuration.signs = false
    configuration.breaker = nil
    configuration.headers["AppId"] = app
    configuration.headers["WorkspaceId"] = workspace
    return configuration
  }

  /// Takes the gateway of the environment's variable, or of a `GatewayConfig.plist`: one that is named goes first.
  private func addGateway(_ configuration: inout RPCConfiguration, in context: Context) throws {
    let isNamed = config != nil || environment != nil
    if !isNamed, let address = context.environment["MPAAS_RPC_GATEWAY"], !address.isEmpty {
      configuration.gateway = address
      return
    }
    guard let path = try config ?? found(isWanted: isNamed) else { return }
    let file = try GatewayFile(Bytes.reading(path, limit: 1 << 26).array, file: path)
    let only = file.environments.count == 1 ? file.environments.first?.name : nil
    guard let name = environment ?? file.selected ?? only else {
      throw Diagnostic("gateway-environment-not-given", exit: .usage)
    }
    let section = try file.environment(name)
    configuration.gateway = section.first(GatewayKeys.rpc)
    configuration.etagGateway = section.first(["mPaasRpcETagURL"])
    configuration.headers["productId"] = section.first(["MPaaSRpcProductId"])
  }

  private func found(isWanted: Bool) throws -> String? {
    do throws(ConfigError) {
      return try ConfigFileSearch.live.file(named: GatewayFile.fileName)
    } catch {
      // A condition of `catch` itself ends the compiler where errors have a type.
      guard error.code == .fileMissing, !isWanted else { throw error }
      return nil
    }
  }

  func headers() throws -> [String: String] {
    var headers: [String: String] = [:]
    for field in fields {
      guard let colon = field.firstIndex(of: ":"), colon != field.startIndex else {
        throw ValidationError(Catalogue.current.text("text.rpc-header", ["header": field]))
      }
      headers[String(field[..<colon])] = String(field[field.index(after: colon)...].drop { $0 == " " })
    }
    return headers
  }
}
