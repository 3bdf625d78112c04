/// The model of lost packets of one link are lost: each for itself, or in bursts by Gilbert's two states.
struct LossModel {
  /// The chance to begin losing, and to stop.
  private let begin: Double
  private let stop: Double
  private let isIndependent: Bool
  private var isLosing = false
  private let firstStall: Int64
  /// Tells whether all is lost.
  let isTotal: Bool

  init(_ loss: Loss) {
    let share = min(max(loss.probability, 0), 1)
    isTotal = share >= 1
    isIndependent = loss.meanBurst <= 1
    firstStall = max(0, loss.stall?.inNanoseconds ?? 200_000_000)
    // In the long run the share is begin / (begin + stop), and a burst lasts 1 / stop.
    let burst = isTotal ? 1 : max(loss.meanBurst, 1, share / (1 - share))
    stop = 1 / burst
    begin = isIndependent ? share : isTotal ? 1 : min(1, share / (burst * (1 - share)))
  }

  /// Goes on as the other did.
  mutating func take(over other: LossModel) { isLosing = other.isLosing && !isIndependent }

  /// Tells whether the next packet is lost.
  mutating func next(_ random: inout LinkRandom) -> Bool {
    if isTotal || isIndependent { return random.happens(begin) }
    isLosing = isLosing ? !random.happens(stop) : random.happens(begin)
    return isLosing
  }

  /// The stall by the next segment of a stream stalls it: 0, or until a copy comes through; each wait is twice the
  /// last, to a minute at most.
  mutating func nextStall(_ random: inout LinkRandom) -> Int64 {
    var total: Int64 = 0
    var wait = firstStall
    for _ in 0..<15 {
      guard next(&random) else { break }
      total += wait
      wait = min(wait * 2, max(firstStall, 60_000_000_000))
    }
    return total
  }
}
