import Hummingbird
import MPaaSSupport

extension ServerContext {
  /// Tells whether the caller may do what a scope is for.
  func may(_ scope: Scope) -> Bool { grant?.permits(scope) ?? false }

  /// Passes a caller who may do what a scope is for.
  ///
  /// - Throws: `Refusal` `server-scope`.
  func require(_ scope: Scope) throws {
    guard may(scope) else { throw Refusal(.scope, ["scope": scope.rawValue]) }
  }
}

extension ServerServices {
  /// The app that the path names by its key.
  ///
  /// - Throws: `Refusal` `server-not-found` where the caller sees none.
  func app(inPathOf context: ServerContext) throws -> Access.App {
    let key = PercentEncoding.decodeLeniently((context.parameters.get("app") ?? "").utf8)
    guard let app = access.app(forKey: key), context.grant?.app == nil || context.grant?.app == key else {
      throw Refusal(.notFound, ["reason": "app"])
    }
    return app
  }
}
