import Foundation
import HangFaults
import MPaaSPerformance

/// Says the nanoseconds that a span and a mark take, recorded and not, the least of some rounds.
enum Spans {
  static func measure() {
    var sum = 0
    func least(_ work: (Int) -> Void) -> Double {
      (0..<400).map { _ in
        let count = 2_000
        let start = hang_now()
        for number in 0..<count { work(number) }
        return Double(hang_now() - start) / Double(count)
      }.min() ?? 0
    }
    let empty = least { sum &+= $0 }
    let off = least { number in Perf.span("off") { sum &+= number } }
    Perf.isRecording = true
    let on = least { number in Perf.span("on") { sum &+= number } }
    let mark = least { number in
      Perf.mark("mark")
      sum &+= number
    }
    let pair = least { number in
      let entered = Perf.enter("pair")
      sum &+= number
      Perf.leave(entered)
    }
    tell(
      "{\"span_ns\":\(on - empty),\"off_ns\":\(off - empty),\"mark_ns\":\(mark - empty),\"pair_ns\":\(pair - empty)}")
    exit(sum == 1 ? 2 : 0)
  }
}
