public import MPaaSFlags
import MPaaSSupport

/// The settings of a flags client.
public struct FlagConfiguration: Sendable {
  /// The way in which changes come.
  public enum Updates: Sendable, Hashable {
    /// The client asks again and again.
    case polling
    /// The server tells changes as they are made; the client asks again and again where it cannot.
    case streaming
  }

  /// The moment from which a state counts that came from the server.
  public enum Staging: Sendable, Hashable {
    /// At once.
    case immediate
    /// From `activate()` on, or from the next start; flags of the type `kill-switch` count at once.
    case untilActivation
  }

  /// The address of the client API, such as `https://flags.example.com/unleash/api`.
  public var url: String
  /// The name of the app.
  public var appName: String
  /// The folder for states and the session's ID; nothing else may be in it.
  public var folder: String
  /// The value of the field `Authorization`; nil sends none.
  public var token: String?
  /// Further fields of each request.
  public var headers: [String: String] = [:]
  /// The project whose flags are wanted; nil for all that the token may see.
  public var project: String?
  /// The environment of the context; nil for that of the token (`project:environment.secret`), else `default`.
  public var environment: String?
  /// The name of this installation for the server; nil for the session's ID.
  public var instanceID: String?
  /// The user at the start, whose kept state is used.
  public var userID: String?
  /// The facts of the device that conditions name.
  public var facts = DeviceFacts()
  /// A state that came with the app, for a user of whom none is kept; read as the client API answers it.
  public var bootstrap: [UInt8]?
  /// The way in which changes come.
  public var updates = Updates.polling
  /// The moment from which a state counts.
  public var staging = Staging.immediate
  /// The proof that a state has to bring along; a signed state is asked for again and again, whatever `updates` says.
  public var trust = FlagTrust.connection
  /// The times of a client.
  public var pace = FlagPace()
  /// The way to the server; nil for that of the kit's downloads.
  public var transport: FlagTransport?
  /// The clock; to be replaced in tests.
  public var clock = FlagClock.system
  /// A number from 0 up to 1, for what must not happen at the same time on all devices; to be replaced in tests.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Creates settings.
  public init(url: String, appName: String, folder: String, token: String? = nil) {
    self.url = url
    self.appName = appName
    self.folder = folder
    self.token = token
  }

  /// The environment in use.
  var effectiveEnvironment: String {
    if let environment { return environment }
    // A token is `project:environment.secret`.
    guard let token, let colon = token.firstIndex(of: ":") else { return "default" }
    let rest = token[token.index(after: colon)...]
    let name = rest.prefix { $0 != "." }
    return name.isEmpty || name.endIndex == rest.endIndex ? "default" : String(name)
  }

  /// An address below that of the server.
  func address(_ path: String) -> String {
    var base = url[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    return base + "/" + path
  }

  /// The address of the state.
  var stateAddress: String {
    var path = "client/features"
    if case .envelope(_, _, let other) = trust.kind { path = other }
    guard let project else { return address(path) }
    return address(path) + "?project=" + PercentEncoding.encode(project)
  }

  /// The server, project and form of kept states: one of another origin is not used.
  var origin: String {
    switch trust.kind {
    case .connection: "features " + stateAddress
    case .envelope: "envelope " + stateAddress
    case .repository: "repository " + appName
    }
  }
}
