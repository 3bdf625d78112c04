package import MPaaSCrashReport
import MPaaSSupport

/// A report in the parts that people read, as Markdown, HTML and others lay them out.
package struct ReportDigest: Sendable {
  /// The words of the layout by their keys, in the reader's language.
  package typealias Words = @Sendable (String) -> String

  package struct Row: Sendable {
    let number: Int
    let module: String
    /// The function's name, or the offset in the module without symbols.
    let function: String
    let isNamed: Bool
    let file: String?
    let line: Int?
    let address: UInt64
    let isInlined: Bool
    /// Tells whether it is the program's own code and not a runtime's.
    let isOwn: Bool
    let isBlamed: Bool
  }

  package struct Stack: Sendable {
    let title: String
    /// Tells whether this stack tells why.
    let isDecisive: Bool
    let rows: [Row]
  }

  let report: CrashReport
  let fingerprint: Fingerprint
  let words: Words

  package init(_ report: CrashReport, words: @escaping Words) {
    self.report = report
    self.words = words
    var classifier = FrameClassifier()
    fingerprint = Fingerprint(report, &classifier)
  }

  /// `Shop crashed in Cart.add(_:): Index out of range`.
  var title: String {
    let process = report.process.name.isEmpty ? report.application.name : report.process.name
    let name = process.isEmpty ? words("unnamed") : process
    let place = report.blame?.call.map(CrashText.name) ?? ""
    let what = message ?? ""
    let key = "title" + (place.isEmpty ? "" : "-place") + (what.isEmpty ? "" : "-message")
    // The values come last to first: what stands in a report may have braces too.
    var title = words(key).replacing("{verb}", with: words("verb-\(report.kind.rawValue)"), maxReplacements: 1)
    for (mark, value) in [("{message}", what), ("{place}", place), ("{process}", name)] {
      if let range = title.place(of: mark) { title.replaceSubrange(range, with: value) }
    }
    return title
  }

  /// The words of the program, or else what the signal says.
  var message: String? {
    if let thrown = report.thrown {
      return thrown.name + (thrown.reason.map { ": " + $0 } ?? "")
    }
    return CrashText.message(report) ?? report.exception.map(CrashText.cause)
  }

  /// The facts with a value, by the keys of their words.
  var facts: [(key: String, value: String)] {
    let exception = report.exception.map { exception in
      exception.signal.isEmpty ? exception.type : "\(exception.type) (\(exception.signal))"
    }
    let rows: [(String, String?)] = [
      ("process", processText), ("identifier", report.application.identifier),
      ("version", report.application.versionText), ("system", IPSWriter.osVersion(report.system)),
      ("device", report.system.model), ("processor", report.process.cpuType), ("exception", exception),
      ("subtype", report.exception.flatMap(CrashText.subtype)), ("message", message),
      ("time", report.captured.seconds == 0 ? nil : report.captured.text(digits: 0)), ("incident", report.incident),
      ("group", fingerprint.group.description),
    ]
    return rows.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : (key, $0) } }
  }

  /// `Demo [12]`, without the number where it is not known.
  private var processText: String {
    let process = report.process
    return process.pid == 0 ? process.name : "\(process.name) [\(process.pid)]"
  }

  /// The stack that tells why first, then the others in order.
  var stacks: [Stack] {
    let decisive = report.decisiveStack
    let all = report.stackIndices.filter { $0 < report.threads.count || !report.lastExceptionBacktrace.isEmpty }
    return all.sorted { ($0 == decisive ? 0 : 1, $0) < ($1 == decisive ? 0 : 1, $1) }.map { index in
      Stack(title: stackTitle(index), isDecisive: index == decisive, rows: rows(ofStack: index))
    }
  }

  private func stackTitle(_ index: Int) -> String {
    guard index < report.threads.count else { return words("exception-backtrace") }
    let thread = report.threads[index]
    var title = words("thread") + " \(index)"
    if index == report.faultingThread, report.exception != nil { title += words("crashed") }
    let names = [thread.name, thread.queue].compactMap { $0 }.filter { !$0.isEmpty }
    return names.isEmpty ? title : title + " · " + names.joined(separator: " · ")
  }

  private func rows(ofStack stack: Int) -> [Row] {
    let blame = report.blame
    var rows: [Row] = []
    for (index, frame) in report[stack: stack].enumerated() {
      let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
      let isSystem = RuntimeCode.isSystem(image, main: report.mainImage)
      for callIndex in frame.calls.isEmpty ? [nil] : frame.calls.indices.map(Optional.some) {
        let call = callIndex.map { frame.calls[$0] }
        let isNamed = call.map { !$0.function.isEmpty } ?? false
        let isCompilers = call?.file?.hasSuffix("<compiler-generated>") ?? true
        rows.append(
          Row(
            number: rows.count, module: image.map { $0.name.isEmpty ? "???" : $0.name } ?? "???",
            function: isNamed ? call.map(CrashText.name) ?? "" : Self.offset(frame, image), isNamed: isNamed,
            file: isCompilers ? nil : call?.file, line: isCompilers ? nil : call?.line, address: frame.address,
            isInlined: call?.isInlined ?? false,
            isOwn: !isSystem && image != nil && !(call.map(RuntimeCode.isRuntime) ?? false),
            isBlamed: blame?.stack == stack && blame?.frame == index && blame?.callIndex == callIndex))
      }
    }
    return rows
  }

  private static func offset(_ frame: CrashReport.Frame, _ image: CrashReport.Image?) -> String {
    guard let image else { return CrashText.address(frame.address) }
    return "\(image.name) + 0x\(String(frame.address &- image.base, radix: 16))"
  }
}
