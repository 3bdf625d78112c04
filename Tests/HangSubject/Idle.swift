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

  /// The number of times that threads of this process have slept.
  private static func wakes() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    return usage.ru_nvcsw
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
      let (before, wakes) = (Self.processor(), Self.wakes())
      DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
        let (processor, slept) = (Self.processor() - before, Self.wakes() - wakes)
        tell("{\"processor\":\(processor),\"wakes\":\(slept),\"hangs\":\(told.all.count)}")
        for hang in told.all { tell(hang) }
        exit(0)
      }
    }
  }
}
