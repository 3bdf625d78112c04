import MPaaSCrashReport
import MPaaSSupport

extension CrashReport {
  /// Keeps members of an .ips body that differ from what the model itself gives there.
  ///
  /// To be called when all other fields are set.
  mutating func keep(inBody members: JSONValue.Object) {
    extra = IPSOverlay.merge(extra, IPSOverlay.rest(of: members, after: IPSWriter.facts(of: self)))
  }
}
