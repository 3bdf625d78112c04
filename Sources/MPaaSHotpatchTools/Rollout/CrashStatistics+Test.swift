package import MPaaSHotpatch
import MPaaSProtocol

extension CrashStatistics {
  private var counted: (sessions: Int, crashes: Int) {
    let crashes = max(0, crashes - forgivenCrashes)
    return (max(crashes, sessions - forgivenSessions), crashes)
  }

  package var ratio: Double {
    CrashRateTest(baseline: Double(baseline) / 1e6).ratio(sessions: counted.sessions, crashes: counted.crashes)
  }

  package var halts: Bool {
    CrashRateTest(baseline: Double(baseline) / 1e6).halts(sessions: counted.sessions, crashes: counted.crashes)
  }
}
