package import MPaaSBase

/// The members that a JSON object has and another lacks: how members that the model does not know survive reading and
/// writing.
package enum IPSOverlay {
  /// The members of `original` that `written` lacks or has with another value; objects inside are compared the same
  /// way.
  package static func rest(of original: JSONValue.Object, after written: JSONValue.Object) -> JSONValue.Object {
    var rest: JSONValue.Object = [:]
    for (name, value) in original {
      guard let other = written[name] else {
        rest[name] = value
        continue
      }
      if value == other { continue }
      if case .object(let inner) = value, case .object(let otherInner) = other {
        let innerRest = Self.rest(of: inner, after: otherInner)
        if !innerRest.isEmpty { rest[name] = .object(innerRest) }
      } else {
        rest[name] = value
      }
    }
    return rest
  }

  /// `written` with the members of `rest` put in; where both have one, `rest` counts.
  package static func merge(_ written: JSONValue.Object, _ rest: JSONValue.Object) -> JSONValue.Object {
    if rest.isEmpty { return written }
    return written.merging(rest) { old, new in
      guard case .object(let old) = old, case .object(let new) = new else { return new }
      return .object(merge(old, new))
    }
  }
}
