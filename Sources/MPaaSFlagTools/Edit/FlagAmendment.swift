package import MPaaSFlags
package import MPaaSSupport

/// A change of one flag, member by member; what is not named stays as it was written.
package struct FlagAmendment: Sendable, Equatable {
  package var isEnabled: Bool?
  package var type: String?
  package var summary: String?
  package var isStale: Bool?
  /// The percentage of a rollout by `flexibleRollout`, which is added where the flag has none.
  package var rollout: Int?
  package var stickiness: String?
  /// The text that apps get, as the payload of the flag's one variant, which is made where there is none.
  package var value: String?
  /// Weights of variants by name; those that there are not are added.
  package var weights: [Weight] = []
  /// The whole flag as Unleash has it, in place of the one that is there.
  package var definition: JSONValue?

  /// A variant with its share.
  package struct Weight: Sendable, Equatable {
    package let variant: String
    package let weight: Int

    package init(variant: String, weight: Int) { (self.variant, self.weight) = (variant, weight) }
  }

  package init() {}

  package var isEmpty: Bool { self == FlagAmendment() }

  /// The event that brings the changed flag, as JSON.
  ///
  /// - Parameter feature: The flag as it is; nil for a new one.
  /// - Throws: `FlagError` `flags-edit-name`, `flags-edit-rollouts`, `flags-edit-values`; as `FlagState(json:)` where the
  ///   result is none.
  package func event(of name: String, from feature: JSONValue.Object?) throws(FlagError) -> JSONValue {
    var changed = try base(name, feature)
    if let isEnabled { changed["enabled"] = .bool(isEnabled) }
    if let type { changed["type"] = .string(type) }
    if let summary { changed["description"] = .string(summary) }
    if let isStale { changed["stale"] = .bool(isStale) }
    if rollout != nil || stickiness != nil { try changeRollout(of: &changed, name) }
    if let value { changed["variants"] = try variants(changed["variants"]?.array ?? [], saying: value, name) }
    if !weights.isEmpty { changed["variants"] = variants(changed["variants"]?.array ?? []) }
    let event: JSONValue = ["type": "feature-updated", "feature": .object(changed)]
    let bytes = Array(JSONValue.object(["events": [event]]).line.utf8)
    _ = try bytes.withUnsafeBytes { bytes in
      Result { () throws(FlagError) in try FlagState(json: bytes, toSet: true) }
    }.get()
    return event
  }

  private func base(_ name: String, _ feature: JSONValue.Object?) throws(FlagError) -> JSONValue.Object {
    guard let definition else {
      return feature ?? ["name": .string(name), "type": "release", "enabled": false, "strategies": []]
    }
    guard var object = definition.object, object["name"].map({ $0.string == name }) ?? true else {
      throw FlagError(.editName, ["flag": name, "name": definition.object?["name"]?.string ?? "-"])
    }
    object["name"] = .string(name)
    return object
  }

  /// Changes the one rollout that the flag has.
  private func changeRollout(of feature: inout JSONValue.Object, _ name: String) throws(FlagError) {
    var strategies = feature["strategies"]?.array ?? []
    let places = strategies.indices.filter { strategies[$0].object?["name"] == "flexibleRollout" }
    guard places.count < 2, places.count == 1 || rollout != nil else {
      throw FlagError(.editRollouts, ["flag": name, "count": "\(places.count)"])
    }
    var strategy = places.first.flatMap { strategies[$0].object } ?? ["name": "flexibleRollout"]
    var parameters =
      strategy["parameters"]?.object ?? ["stickiness": "default", "groupId": .string(name)]
    if let rollout { parameters["rollout"] = .string("\(rollout)") }
    if let stickiness { parameters["stickiness"] = .string(stickiness) }
    strategy["parameters"] = .object(parameters)
    if let place = places.first { strategies[place] = .object(strategy) } else { strategies.append(.object(strategy)) }
    feature["strategies"] = .array(strategies)
  }

  /// The one variant of a flag with another payload; its type stays.
  private func variants(_ known: [JSONValue], saying value: String, _ name: String) throws(FlagError) -> JSONValue {
    guard known.count < 2 else { throw FlagError(.editValues, ["flag": name, "count": "\(known.count)"]) }
    var variant = known.first?.object ?? ["name": "value", "weight": 1000, "weightType": "variable"]
    var payload = variant["payload"]?.object ?? ["type": "string"]
    payload["value"] = .string(value)
    variant["payload"] = .object(payload)
    return [.object(variant)]
  }

  private func variants(_ known: [JSONValue]) -> JSONValue {
    var variants = known
    for weight in weights {
      let place = variants.firstIndex { $0.object?["name"]?.string == weight.variant }
      var variant = place.flatMap { variants[$0].object } ?? ["name": .string(weight.variant)]
      variant["weight"] = JSONValue(weight.weight)
      if let place { variants[place] = .object(variant) } else { variants.append(.object(variant)) }
    }
    return .array(variants)
  }
}

extension FlagError.Code {
  /// A definition that is no flag, or another one.
  package static var editName: Self { FlagError.Code("flags-edit-name", exit: .usage) }
  /// A flag with no rollout, or several, of which one is to be changed.
  package static var editRollouts: Self { FlagError.Code("flags-edit-rollouts", exit: .usage) }
  /// A flag with several variants, whose one value is to be set.
  package static var editValues: Self { FlagError.Code("flags-edit-values", exit: .usage) }
  /// A flag that is to be made is there.
  package static var exists: Self { FlagError.Code("flags-exists", exit: .cannotCreate) }
}
