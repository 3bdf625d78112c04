import MPaaSDatabase
import MPaaSProtocol

/// Counts alive reports as sessions of a release, and their devices and users by version and system.
enum AliveSessions {
  static func store(
    _ report: AliveReport, app: String, at moment: Double, in database: any SQLDatabase
  ) throws {
    // Far beyond what any clock shows, which no whole number holds.
    guard report.time.magnitude < 1e15 else { return }
    let started = min(Int64(report.time), Int64(moment))
    guard started >= Int64(moment) - SessionReader.lateness else { return }
    let release = "\(report.app)@\(report.version)"
    let update = SessionUpdate(
      app: app, release: SessionReader.cut(release), user: report.device.isEmpty ? nil : report.device,
      sid: SessionReader.sid("alive \(report.id)"), started: started, state: .exited,
      patches: PatchLabel.all(report.patches))
    _ = try SessionBatch.store([update], at: moment, in: database)
    if let run = update.run { _ = try PatchBatch.store([run], in: database) }
    try DeviceDays.add(
      DeviceDays.Visit(
        app: app, device: report.device, user: report.user, version: SessionReader.cut(report.version),
        system: report.system.map { SessionReader.cut($0) }, time: started),
      in: database)
  }
}
