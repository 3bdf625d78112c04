import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

/// The actions of a patch when it was tried, or the results of its tests.
struct HotpatchRunResult: Presentable {
  let report: HarnessReport
  private let isTest: Bool

  init(_ report: HarnessReport, isTest: Bool) {
    self.report = report
    self.isTest = isTest
  }

  func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

  var exit: ExitStatus { report.hasFailed ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: (isTest ? testLines(catalogue) : runLines(catalogue)).map { StyledText($0) })
  }

  private func runLines(_ catalogue: Catalogue) -> [String] {
    var lines = report.symbols.map { catalogue.text("hotpatch.run.replaced", ["name": $0]) }
    lines += report.log.map { "\($0.file):\($0.line): \($0.text)" }
    lines += report.calls.map { call in
      catalogue.text(
        "hotpatch.run.called",
        ["name": call.name, "arguments": String(call.arguments.dropFirst().dropLast()), "result": call.result])
    }
    if let result = report.result { lines.append(catalogue.text("hotpatch.run.result", ["value": result])) }
    lines += failureLines(catalogue)
    lines.append(
      catalogue.text(
        "hotpatch.run.used",
        [
          "instructions": "\(report.instructions)", "memory": "\((report.memory + 1023) / 1024)",
          "time": "\(report.milliseconds)",
        ]))
    return lines
  }

  private func failureLines(_ catalogue: Catalogue) -> [String] {
    report.failures.flatMap { failure in
      [catalogue.text("hotpatch.run.failed", ["message": failure.message])]
        + failure.frames.map { frame in
          let place = frame.file.map { file in frame.line.map { "\(file):\($0)" } ?? file } ?? "[C]"
          return "  \(place)" + (frame.function.isEmpty ? "" : " \(frame.function)")
        }
    }
  }

  /// Lines of the Test Anything Protocol, version 13.
  private func testLines(_ catalogue: Catalogue) -> [String] {
    var lines = ["TAP version 13", "1..\(report.tests.count)"]
    for (index, test) in report.tests.enumerated() {
      lines.append("\(test.passed ? "ok" : "not ok") \(index + 1) - \(test.name)")
      lines += test.message.split(separator: "\n").map { "# \($0)" }
    }
    return lines + failureLines(catalogue).map { "# \($0)" }
  }
}
