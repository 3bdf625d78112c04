import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CompletionKind {
  /// The captured reports, the newest first with the times when they were written, and files, as reports may lie
  /// anywhere.
  static var reports: CompletionKind {
    candidates { input in
      let folder = input.directories.crashes
      let found = ReportFolder(folder).names.map { name in
        (
          name: name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex),
          time: FileStatus("\(folder)/\(name)")?.modified ?? 0
        )
      }
      let newest = found.sorted { ($1.time, $0.name) < ($0.time, $1.name) }.map { name, time in
        Candidate(String(name), Date(timeIntervalSince1970: Double(time)).formatted(.iso8601))
      }
      let latest = Candidate("latest", Catalogue.current.text("text.completion-latest"))
      return Candidates(newest + (newest.isEmpty ? [] : [latest]), shell: .files([]))
    }
  }
}
