import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// Options of how a report is shown, the same wherever one is.
struct ReportFormOptions: ParsableArguments {
  @Option(name: .customLong("source"), help: .text("command.crash.form.source"), completion: .directory)
  var sources: [String] = []

  @Flag(name: .customLong("no-source"), help: .text("command.crash.form.no-source"))
  var hidesSource = false

  @Flag(name: .customLong("fold-threads"), help: .text("command.crash.form.fold-threads"))
  var foldsThreads = false

  @Flag(name: .customLong("full-paths"), help: .text("command.crash.form.full-paths"))
  var showsFullPaths = false

  @Flag(name: .customLong("no-images"), help: .text("command.crash.form.no-images"))
  var hidesImages = false

  func text(of report: CrashReport) -> AppleText {
    var options = AppleText.Options()
    options.foldsThreads = foldsThreads
    options.showsFullPaths = showsFullPaths
    options.showsImages = !hidesImages
    options.sourceContext = hidesSource ? nil : 3
    return AppleText(report, options: options, source: SourceFinder(roots: sources).find)
  }
}
