import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

/// The choice of a server of the control API.
struct NetAPIOptions: ParsableArguments {
  @Option(help: .text("command.net.api", valueName: "address"))
  var api: String?

  /// The address: the option, `MPAAS_NET_API`, or the usual one.
  func address(in context: Context) -> String {
    api ?? context.environment.variable("MPAAS_NET_API") ?? ControlClient.usualAddress
  }

  func server(in context: Context) throws -> NetServer {
    NetServer(client: try ControlClient(address(in: context)), catalogue: context.catalogue)
  }
}

/// A server of the control API, whose refusals are told in the language in force.
struct NetServer: Sendable {
  let client: ControlClient
  let catalogue: Catalogue

  @discardableResult
  func ask(
    _ method: String = "GET", _ path: String..., query: [(String, String)] = [], body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await ask(method, path: path, query: query, body: body)
  }

  func ask(
    _ method: String, path: [String], query: [(String, String)] = [], body: JSONValue? = nil
  ) async throws -> JSONValue {
    do throws(NetworkError) {
      return try await client.ask(method, path, query: query, body)
    } catch {
      // A server of another version, or another program's, may have words that are not known here.
      guard catalogue.optionalText("diagnostic.\(error.code.word)") == nil else { throw error }
      throw NetworkError(.apiRefused, ["error": error.values["error"] ?? error.code.word, "status": "–"])
    }
  }

  func proxies() async throws -> [JSONValue.Object] {
    let all = try await ask("GET", "proxies").object ?? [:]
    return all.sorted { $0.key < $1.key }.compactMap(\.value.object)
  }
}

/// A document of the API as a result, with the words for it.
struct NetAnswer: Presentable {
  let json: JSONValue
  var words: @Sendable (Catalogue) -> Document

  init(_ json: JSONValue, _ words: @escaping @Sendable (Catalogue) -> Document) {
    self.json = json
    self.words = words
  }

  /// An answer that is told in one sentence.
  init(_ json: JSONValue, text key: String, _ values: [String: String] = [:]) {
    self.init(json) { [.line(StyledText($0.text(key, values)))] }
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document { words(catalogue) }
}
