/// The moments of a program's start.
package struct StartupTimes: Sendable, Equatable {
  /// The moments, in their order.
  package enum Moment: String, Sendable, CaseIterable, Codable {
    /// The kernel has made the process that program.
    case exec
    /// The loader is at work itself, and begins to map libraries.
    case loader
    /// All libraries are mapped, and their addresses are put in.
    case loaded
    /// The initializers of the libraries have run: the program's own first instruction.
    case entry
    /// The program's static initializers have run.
    case main
    /// Its first byte to standard output or standard error.
    case output
    case end
  }

  /// Nanoseconds from the wish to start it; those that were not met are missing.
  package private(set) var moments: [Moment: UInt64] = [:]

  package init(_ moments: [Moment: UInt64] = [:]) {
    self.moments = moments
  }

  mutating func note(_ moment: Moment, at time: UInt64, since start: UInt64) {
    if moments[moment] == nil { moments[moment] = time > start ? time - start : 0 }
  }

  /// Notes the end, and the first output, which is not behind it: its reader may only have been held up.
  mutating func noteEnd(at end: UInt64, output: UInt64?, since start: UInt64) {
    if let output { note(.output, at: min(output, end), since: start) }
    note(.end, at: end, since: start)
  }

  /// A part of a start: from a moment to the next that was met.
  package struct Phase: Sendable, Equatable {
    package let from: Moment?
    package let to: Moment
    /// Nanoseconds.
    package let start: UInt64
    package let end: UInt64

    package var duration: UInt64 { end - start }
  }

  /// The parts from the beginning to the last moment, without gaps.
  package var phases: [Phase] {
    var phases: [Phase] = []
    for moment in Moment.allCases {
      guard let time = moments[moment] else { continue }
      let start = phases.last?.end ?? 0
      // A program may write from an initializer: the order is that of the times then.
      guard time >= start else { continue }
      phases.append(Phase(from: phases.last?.to, to: moment, start: start, end: time))
    }
    return phases
  }

  /// The middle of several starts, moment by moment; moments that some did not meet are missing.
  package static func middle(of times: [StartupTimes]) -> StartupTimes {
    var middle = StartupTimes()
    for moment in Moment.allCases {
      let all = times.compactMap { $0.moments[moment] }.sorted()
      guard all.count == times.count, !all.isEmpty else { continue }
      middle.moments[moment] = all[all.count / 2]
    }
    return middle
  }
}
