import MPaaSBase

extension IPSWriter {
  /// The member `mpaas.hang`.
  static func hang(_ hang: CrashReport.Hang) -> JSONValue.Object {
    var object: JSONValue.Object = [
      "name": .string(hang.name), "began": .string(hang.began.text(digits: 9)),
      "activity": .string(hang.activity.rawValue),
      "severity": .string(hang.severity.rawValue), "agreeing": JSONValue(hang.agreeing),
      "samples": .array(hang.samples.map(sample)),
    ]
    object["duration"] = JSONValue(hang.duration)
    object["processorShare"] = hang.processorShare.flatMap { JSONValue($0) }
    if !hang.hasEnded { object["ended"] = false }
    if hang.isPartly { object["partly"] = true }
    return object
  }

  private static func sample(_ sample: CrashReport.Hang.Sample) -> JSONValue {
    var object: JSONValue.Object = [:]
    object["time"] = JSONValue(sample.time)
    object["state"] = sample.state.map(JSONValue.string)
    object["call"] = sample.call.map { JSONValue($0) }
    object["owner"] = sample.owner.map { JSONValue($0) }
    object["thread"] = sample.thread.map { JSONValue($0) }
    return .object(object)
  }
}
