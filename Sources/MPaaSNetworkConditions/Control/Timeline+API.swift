package import MPaaSSupport

extension Timeline {
  /// The timeline as the API writes it; the server reads it with `init(api:)`.
  package var apiJSON: JSONValue {
    var object: JSONValue.Object = ["name": .string(name), "repeats": .bool(repeats)]
    if let length { object["length_seconds"] = JSONValue(length.inSeconds) }
    object["steps"] = .array(
      steps.map { step in
        var one: JSONValue.Object = [
          "at_seconds": JSONValue(step.start.inSeconds) ?? 0, "label": .string(step.label),
          "toxics": .array(step.toxics.map(\.json)),
        ]
        if let duration = step.duration { one["for_seconds"] = JSONValue(duration.inSeconds) }
        return .object(one)
      })
    return .object(object)
  }
}
