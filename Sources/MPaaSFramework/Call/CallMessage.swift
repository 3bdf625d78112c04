#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A message that is a call to a server: its input becomes a request, the answer its output.
///
/// `mpaas generate api` writes them from descriptions of services.
public protocol CallMessage: Message, SendableMetatype {
  /// The request that the server gets.
  ///
  /// - Parameters:
  ///   - input: The input of the message.
  ///   - server: What stands before the paths of calls: `https://api.example.com/v2`.
  static func request(_ input: Input, server: String) throws -> CallRequest

  /// Reads the answer of a server that did as it was asked.
  static func output(_ response: MessageTransport.Response) throws -> Output
}

extension CallMessage where Output: Decodable {
  /// Reads the body as JSON.
  ///
  /// - Throws: `DecodingError` where the body is not JSON of the type `Output`.
  public static func output(_ response: MessageTransport.Response) throws -> Output {
    try JSONDecoder().decode(Output.self, from: Data(response.body))
  }
}

extension CallMessage where Output == Void {
  /// Returns nothing, whatever the answer's body holds.
  public static func output(_ response: MessageTransport.Response) throws {}
}

extension MessageHandlers {
  /// Handles a message by calling the server.
  public mutating func on<M: CallMessage>(call message: M.Type, at server: String, through transport: MessageTransport)
  {
    on(message) { input, _ in
      try await M.request(input, server: server).send(through: transport, read: M.output)
    }
  }
}

/// The places of services, by the environment of the app.
public struct CallServers: Sendable {
  /// The service's name in errors.
  public let service: String
  /// The address before the paths of calls, by environment: `https://api.example.com/v2`.
  public let urls: [AppEnvironment: String]

  /// Makes the addresses of a service, by environment.
  ///
  /// - Parameters:
  ///   - service: The service's name in errors.
  ///   - urls: The address of the service in each environment.
  public init(_ service: String, _ urls: [AppEnvironment: String]) {
    self.service = service
    self.urls = urls
  }

  /// The beginning of the paths of calls in an environment.
  ///
  /// - Throws: `call-server-unknown`; no other environment's server is taken instead.
  public func url(in environment: AppEnvironment) throws(FrameworkError) -> String {
    if let url = urls[environment] { return url }
    let known = urls.keys.map(\.rawValue).sorted().joined(separator: ", ")
    throw FrameworkError(
      .callServerUnknown, .message(service), values: ["environment": environment.rawValue, "known": known])
  }
}
