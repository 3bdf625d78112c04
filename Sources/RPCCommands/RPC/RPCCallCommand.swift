import ArgumentParser
import CommandKit
import MPaaSRPC
import MPaaSSupport
import MPaaSTerminal

extension RPCCommand {
  /// `mpaas rpc call OPERATION [ARGS]`: one call as an app makes it.
  struct Call: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("call", key: "rpc.call") }

    @Argument(help: .text("command.rpc.call.operation", valueName: "operation"))
    var operation: String

    @Argument(help: .text("command.rpc.call.arguments", valueName: "json"))
    var arguments: [String] = []

    @Option(help: .text("command.rpc.call.data", valueName: "file"), completion: .file())
    var data: String?

    @Flag(help: .text("command.rpc.call.reads"))
    var reads = false

    @OptionGroup var gateway: RPCGatewayOptions
    @OptionGroup var key: RPCKeyOptions

    @Option(help: .text("command.rpc.call.spans", valueName: "file"), completion: .file())
    var spans: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if data != nil, !arguments.isEmpty {
        throw ValidationError(Catalogue.current.text("text.rpc-data-twice"))
      }
    }

    func run(in context: Context) async throws -> RPCAnswerView {
      var call = RPCCall(operation, data: try requestData(in: context))
      call.effect = reads ? .reads : gateway.idempotencyKey == nil ? .changes : .idempotent
      call.key = gateway.idempotencyKey
      call.headers = try gateway.headers()
      var parts = RPCClient.Parts(
        transport: .http(userAgent: "mpaas/\(KitVersion.current.version)", certificates: gateway.ca))
      parts.signer = try key.signer(in: context)
      call.signCheck = parts.signer != nil
      if let spans { parts.observers.append(try RPCSpanFile(spans).observe) }
      let client = RPCClient(try gateway.configuration(in: context), parts: parts)
      do {
        return RPCAnswerView(try await client.send(call))
      } catch {
        throw error.diagnostic(language: context.catalogue.language.rawValue)
      }
    }

    /// The arguments as a JSON array: what is no JSON is a text.
    private func requestData(in context: Context) throws -> [UInt8] {
      if let data {
        let bytes = try context.data(at: data).array
        do throws(RPCValueError) {
          return try RPCValue(bytes).bytes
        } catch {
          let values = ["operation": operation, "reason": error.description]
          throw Diagnostic("rpc-arguments", values, exit: .malformedInput)
        }
      }
      return RPCValue.array(arguments.map { (try? RPCValue(Array($0.utf8))) ?? .string($0) }).bytes
    }
  }
}
