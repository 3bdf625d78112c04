import Dispatch
import Foundation
import MPaaSPerformance

/// Does nothing for a time, and says what the watch over it cost and told.
final class Idle: Sendable {
  private let seconds: Double
  private let folder: String
  private let told = Told()

  init(seconds: Double, folder: String) {
    self.seconds = seconds
    self.folder = folder
  }

  private static func processor() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func begin() {
    let told = told
    do {
      try HangMonitor(directory: folder).start { told.append($0) }
    } catch {
      tell(error)
      exit(1)
    }
    let seconds = seconds
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
      tell("ready")
      let before = Self.processor()
      DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
        tell("{\"processor\":\(Self.processor() - before),\"hangs\":\(told.all.count)}")
        for hang in told.all { tell(hang) }
        exit(0)
      }
    }
  }
}
