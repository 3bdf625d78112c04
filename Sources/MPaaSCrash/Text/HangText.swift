import MPaaSCrashReport
import MPaaSSupport

/// A hang in the words of a text report.
enum HangText {
  static func lines(_ hang: CrashReport.Hang) -> [ReportLine] {
    var lines = [ReportLine("Hang:", .heading)]
    let length = "\((hang.duration * 1000).rounded() / 1000) s"
    lines.append(ReportLine("\(hang.name) did not answer for \(length) (\(hang.severity.rawValue))", .crashed))
    lines.append(ReportLine(work(hang)))
    let samples = hang.samples.count
    if samples > 0 {
      lines.append(ReportLine("\(hang.agreeing) of \(samples) samples agree in the stack that is shown first"))
    }
    if let owner = hang.samples.last(where: { $0.owner != nil })?.owner {
      lines.append(ReportLine("The lock that it waited for was held by thread \(owner)"))
    }
    return lines
  }

  private static func work(_ hang: CrashReport.Hang) -> String {
    let share = hang.processorShare.map { " (processor \(Int(($0 * 100).rounded())) % of the time)" } ?? ""
    let partly = hang.isPartly ? ", while it went on to other work" : ""
    return switch hang.activity {
    case .busy: "It was busy" + share + partly
    case .waiting: "It was waiting" + share + partly
    case .unknown: "It is not known whether it was busy or waiting" + partly
    }
  }
}
