import CrashReporter
import Dispatch
import Foundation
import HangFaults
import MPaaSPerformance

/// Says how the last run ended, and ends in the way that is asked for.
struct Ends: Sendable {
  let how: String
  let folder: String

  func begin() {
    do { try CrashReporter.install(.init(directory: folder, version: "1.0")) } catch { tell(error) }
    let version = how == "updated" ? "2.0" : "1.0"
    let boot = how == "rebooted" ? "another-boot" : nil
    let last =
      boot.map { Termination.begin(version: version, directory: folder, boot: $0) }
      ?? Termination.begin(version: version, directory: folder)
    tell("last \(last?.reason.rawValue ?? "none") \(last?.status ?? -1) \(last?.signal ?? 0)")
    switch how {
    case "exit": exit(0)
    case "exit-3": exit(3)
    case "crash": hang_crash()
    case "abort": abort()
    case "background": Termination.noteBackground(true)
    case "low-memory": Termination.noteLowMemory()
    case "hang": Forever(kind: "busy", folder: folder).beginHang()
    case "look", "updated", "rebooted": exit(0)
    default: break
    }
    // Until it is killed, or gets a signal.
    tell("ready")
  }
}
