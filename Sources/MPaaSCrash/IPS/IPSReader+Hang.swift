import MPaaSCrashReport
import MPaaSSupport

extension IPSReader {
  /// Reads the member `mpaas.hang`; nil where it has no duration.
  static func hang(_ object: JSONValue.Object) -> CrashReport.Hang? {
    guard let duration = object["duration"]?.double, duration.isFinite, duration >= 0 else { return nil }
    var hang = CrashReport.Hang()
    hang.duration = duration
    hang.name = object["name"]?.string ?? ""
    hang.began = object["began"]?.string.flatMap(CrashReport.Timestamp.init) ?? CrashReport.Timestamp()
    hang.activity = object["activity"]?.string.flatMap(CrashReport.Hang.Activity.init) ?? .unknown
    hang.severity = object["severity"]?.string.flatMap(CrashReport.Hang.Severity.init) ?? .hang
    hang.processorShare = object["processorShare"]?.double
    hang.hasEnded = object["ended"]?.bool ?? true
    hang.isPartly = object["partly"]?.bool ?? false
    hang.agreeing = object["agreeing"]?.integer() ?? 0
    hang.samples = (object["samples"]?.array ?? []).compactMap(\.object).map(sample)
    return hang
  }

  private static func sample(_ object: JSONValue.Object) -> CrashReport.Hang.Sample {
    var sample = CrashReport.Hang.Sample(time: object["time"]?.double ?? 0)
    sample.state = object["state"]?.string
    sample.call = object["call"]?.integer()
    sample.owner = object["owner"]?.integer()
    sample.thread = object["thread"]?.integer()
    return sample
  }
}
