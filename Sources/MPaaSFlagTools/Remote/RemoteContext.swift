package import MPaaSFlags
import MPaaSSupport

/// The context of a request of OpenFeature's remote evaluation.
package struct RemoteContext: Sendable, Equatable {
  package let context: FlagContext
  /// The context as JSON whose members are sorted, so that the same one has the same text.
  package let text: String

  /// The reason why a request is refused, and a sentence for logs.
  package struct Problem: Error, Sendable, Equatable {
    package let failure: RemoteEvaluation.Failure
    package let details: String
  }

  /// Reads the body of a request: `{"context":{"targetingKey":"…", …}}`.
  ///
  /// The targeting key is the user, unless the context names one; values that have parts are passed over.
  package init(body bytes: UnsafeRawBufferPointer) throws(Problem) {
    let body: JSONValue
    do {
      body = try JSONValue(reading: bytes)
    } catch {
      throw Problem(
        failure: .parse, details: "the body is not JSON: \(error.code.rawValue) at byte \(error.offset)")
    }
    guard let members = body.object?["context"]?.object else {
      throw Problem(failure: .invalidContext, details: "the member context is no object")
    }
    guard let key = members["targetingKey"], key != .null else {
      throw Problem(failure: .targetingKeyMissing, details: "the context has no targetingKey")
    }
    guard let user = key.string, !user.isEmpty else {
      throw Problem(failure: .invalidContext, details: "targetingKey is no text")
    }
    try self.init(members, user: user)
  }

  private init(_ members: JSONValue.Object, user: String) throws(Problem) {
    var plain: JSONValue.Object = [:]
    for (name, value) in members where name != "targetingKey" {
      switch value {
      case .null, .array: continue
      case .object(let properties):
        if name == "properties" { plain[name] = .object(Self.scalars(of: properties)) }
      default: plain[name] = value
      }
    }
    do {
      var context = try FlagContext(json: .object(plain))
      context.userId = context.userId ?? user
      context.properties["targetingKey"] = context.properties["targetingKey"] ?? user
      self.context = context
    } catch {
      throw Problem(failure: .invalidContext, details: "a member of the context is no text")
    }
    text = JSONValue.object(members).line
  }

  private static func scalars(of members: JSONValue.Object) -> JSONValue.Object {
    var plain: JSONValue.Object = [:]
    for (name, value) in members {
      switch value {
      case .null, .array, .object: continue
      default: plain[name] = value
      }
    }
    return plain
  }
}
