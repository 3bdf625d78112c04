package import MPaaSProfile

extension TraceFile {
  /// The spans as a profile: for each stretch of time in which the same ones are open, a sample that weighs as long.
  package var profile: Profile {
    var profile = Profile(name: process ?? file, types: [.wall])
    let first = spans.first?.start ?? 0
    profile.duration = total
    var lanes: [Lane: Int] = [:]
    var found: [(thread: ProfileThread, spans: [TraceSpan])] = []
    for span in spans {
      let lane = Lane(process: span.process, thread: span.thread)
      let row = lanes[lane] ?? found.count
      if row == found.count {
        lanes[lane] = row
        let name = threads[span.thread] ?? ""
        found.append(
          (ProfileThread(name: name, id: span.thread, process: span.process, processName: process ?? ""), []))
      }
      let (file, line) = Self.split(span.place)
      let frame = profile.frame(profile.function(span.name, file: file, line: line))
      found[row].spans.append(TraceSpan(start: span.start - first, duration: span.duration, frame: frame))
    }
    for (thread, spans) in found {
      var thread = thread
      // More of them within each other than a profile has room for are left out with all that follows.
      _ = TraceSpan.append(spans, to: &thread, of: &profile)
      profile.threads.append(thread)
    }
    return profile
  }

  private struct Lane: Hashable {
    let process: Int64
    let thread: Int64
  }

  /// `App/Orders.swift:12`.
  private static func split(_ place: String?) -> (String, Int) {
    guard let place, let colon = place.lastIndex(of: ":"), let line = Int(place[place.index(after: colon)...]) else {
      return (place ?? "", 0)
    }
    return (String(place[..<colon]), line)
  }
}
