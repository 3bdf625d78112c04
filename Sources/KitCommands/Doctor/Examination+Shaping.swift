import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

extension Examination {
  /// The network shaping that is in force, or was left behind by a process that was killed.
  var shaping: DoctorCheck {
    let ledger = ShapingLedger(data: context.directories.data)
    let (records, problems) = ledger.all()
    let standings = records.map { (record: $0, standing: ledger.standing(of: $0)) }
    func tell(_ key: String, _ record: ShapingRecord) -> String {
      text("shaping-\(key)", ["interface": record.interface, "conditions": record.label])
    }
    let told =
      standings.filter { $0.standing == .stale }.map { tell("stale", $0.record) }
      + standings.filter { $0.standing == .applied }.map { tell("applied", $0.record) }
      + problems.map { text("shaping-malformed", ["record": $0.values["record"] ?? ""]) }
    guard told.isEmpty else {
      return DoctorCheck("shaping", .warning, told.joined(separator: "; "), help: text("shaping-help"))
    }
    let live = standings.count { $0.standing == .live }
    return DoctorCheck("shaping", .good, live == 0 ? text("shaping-none") : text("shaping-live", ["count": "\(live)"]))
  }
}
