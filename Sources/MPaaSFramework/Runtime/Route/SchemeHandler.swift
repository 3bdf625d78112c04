/// The URL that a handler is asked to open.
public struct RouteRequest: Sendable {
  /// The URL that is opened.
  public let url: AppURL
  /// The values of the pattern's names and of the query.
  public let parameters: Parameters
  /// The values that the caller handed over besides the URL: the app that opened it, for example.
  public let userInfo: Parameters

  /// The parameters as a type of the app; errors name the parameter.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(FrameworkError) -> Value {
    try parameters.decode(type)
  }
}

/// Opens URLs from outside and from other modules, as classes of their own.
///
/// Classes are asked in the order of their registration; the first that can handle a URL gets it.
@MainActor public protocol SchemeHandler: AnyObject, Sendable {
  /// Makes a handler.
  init()

  /// Tells whether URLs of this kind are for this class.
  static func canHandle(_ url: AppURL) -> Bool

  /// Opens a URL; false passes it on to the next class.
  func handle(_ request: RouteRequest, in context: MobileContext) throws -> Bool
}

/// Starts a micro-app by URL: `anything://platformapi/startapp?appId=cart&id=42`.
///
/// The rest of the query is the micro-app's parameters. It is among the handlers that `MPaaSAppInterface` has by
/// itself.
public final class StartApplicationHandler: SchemeHandler {
  /// Makes a handler.
  public init() {}

  /// Returns true for `//platformapi/startapp` with an `appId` in the query, of any scheme.
  public static func canHandle(_ url: AppURL) -> Bool {
    url.host == "platformapi" && url.path.first?.lowercased() == "startapp" && url["appId"] != nil
  }

  /// Starts the micro-app that the URL names, with the rest of the query as its parameters.
  ///
  /// - Returns: True in any case.
  /// - Throws: `application-unknown` for a name that is not registered, and other errors of `MobileContext.start`.
  public func handle(_ request: RouteRequest, in context: MobileContext) throws -> Bool {
    var parameters = request.parameters
    parameters["appId"] = nil
    try context.start(request.url["appId"] ?? "", parameters: parameters)
    return true
  }
}
