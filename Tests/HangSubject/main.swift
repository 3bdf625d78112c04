// The program that hangs on purpose, on its main queue, and says what the monitor told of it.
//
//   HangSubject hang --directory D --loop queue|runloop KIND:MILLISECONDS…   a line of JSON for each
//   HangSubject idle --directory D --loop queue|runloop SECONDS             the time on the processor, and hangs
//   HangSubject forever --directory D KIND                                  hangs; says `severe` once a record is there
//   HangSubject end HOW --directory D                                       ends in that way, see Ends.swift
//   HangSubject reports --directory D                                       makes reports of what earlier runs left
//   HangSubject objects                                                     makes objects; more for each line that it reads
//   HangSubject spans                                                       the nanoseconds of a span
import CrashReporter
import Dispatch
import Foundation
import HangFaults
import MPaaSPerformance

var words = Array(CommandLine.arguments.dropFirst())

@MainActor func option(_ name: String, or fallback: String) -> String {
  guard let place = words.firstIndex(of: "--\(name)"), place + 1 < words.count else { return fallback }
  let value = words[place + 1]
  words.removeSubrange(place...place + 1)
  return value
}

let folder = option("directory", or: "/tmp")
let loop = option("loop", or: "queue")
let what = words.isEmpty ? "" : words.removeFirst()

@MainActor func serve() -> Never {
  if loop == "runloop" {
    let timer = Timer(timeInterval: 3600, repeats: true) { _ in }
    RunLoop.main.add(timer, forMode: .default)
    RunLoop.main.run()
    exit(1)
  }
  dispatchMain()
}

switch what {
case "hang": HangScript(words: words, folder: folder).begin()
case "idle": Idle(seconds: Double(words.first ?? "") ?? 1, folder: folder).begin()
case "forever": Forever(kind: words.first ?? "busy", folder: folder).begin()
case "reports": Reports(folder: folder).begin()
case "spans": Spans.measure()
case "objects": Objects.begin()
case "end": Ends(how: words.first ?? "exit", folder: folder).begin()
default: exit(64)
}
serve()
