import CrashReporter
import Foundation

/// Makes reports of what earlier runs left, and says how many, and what a hang in them was.
struct Reports: Sendable {
  let folder: String

  func begin() {
    let folder = folder
    Task {
      do {
        let made = try await CrashReporter.processPendingReports(in: folder).made
        for report in made {
          let text = (try? String(contentsOfFile: report.path, encoding: .utf8)) ?? ""
          let words = ["busy", "waiting"].filter { text.contains("\"activity\":\"\($0)\"") }
          tell("report \(words.joined()) \(text.contains("\"ended\":false") ? "killed" : "ended")")
        }
        exit(0)
      } catch {
        tell(error)
        exit(1)
      }
    }
  }
}
