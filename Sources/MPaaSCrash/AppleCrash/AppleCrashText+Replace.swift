package import MPaaSCrashReport
import MPaaSSupport

extension AppleCrashText {
  /// The text with the frames replaced that `report` knows better, and every other line as it is.
  ///
  /// Stacks and frames are matched by their places; a frame whose address differs is left alone. A frame that became
  /// several inlined calls gets a line for each, and the frames below it are counted anew, as Apple does.
  package static func replacingFrames(in originalText: String, with report: CrashReport) -> String {
    let bytes = Array(originalText.utf8)
    let layout = AppleCrashLayout(bytes)
    var lines: [(Range<Int>, [UInt8])] = []
    for (index, stack) in layout.threads.enumerated() where index < report.threads.count {
      lines += replacements(stack, report.threads[index].frames, in: layout)
    }
    lines += replacements(exceptionStack(layout), report.lastExceptionBacktrace, in: layout)
    lines += named(layout, report)
    if lines.isEmpty { return originalText }
    var text: [UInt8] = []
    var place = 0
    for (range, line) in lines.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      text += bytes[place..<range.lowerBound] + line
      place = range.upperBound
    }
    if let json = layout.json, json.lowerBound >= place {
      // The JSON below counts when the text is read again, so it must say the same.
      text += bytes[place..<json.lowerBound] + body(below: report)
    } else {
      text += bytes[place...]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A line for each frame of an exception in place of mere addresses, where any of them has a name.
  private static func named(_ layout: AppleCrashLayout, _ report: CrashReport) -> [(Range<Int>, [UInt8])] {
    let frames = report.lastExceptionBacktrace
    guard let range = layout.exceptionRange, layout.exception.rows.isEmpty,
      frames.map(\.address) == layout.exceptionAddresses, frames.contains(where: { !$0.calls.isEmpty })
    else { return [] }
    return [(range, Array(AppleCrashWriter.backtrace(frames, of: report).joined(separator: "\n").utf8))]
  }

  private static func body(below report: CrashReport) -> [UInt8] {
    var report = report
    report.extra["apple_text"] = nil
    return Array(IPSWriter.bytes(of: report).drop { $0 != 0x0a }.dropFirst())
  }

  private static func replacements(
    _ stack: AppleCrashLayout.Stack, _ frames: [CrashReport.Frame], in layout: AppleCrashLayout
  ) -> [(Range<Int>, [UInt8])] {
    var lines: [(Range<Int>, [UInt8])] = []
    var added = 0
    for (index, range) in groups(stack.rows).enumerated() {
      let rows = stack.rows[range]
      guard let first = rows.first, let last = rows.last else { continue }
      let known = rows.compactMap(\.frame.call)
      let calls = frames.indices.contains(index) ? frames[index].calls : []
      let isBetter = !calls.isEmpty && calls != known && frames[index].address == first.frame.address
      guard isBetter || added != 0 else { continue }
      var text: [[UInt8]] = []
      for (place, call) in (isBetter ? calls.map(Optional.some) : rows.map(\.frame.call)).enumerated() {
        let row = rows[rows.startIndex + min(place, rows.count - 1)]
        let kept = isBetter ? nil : row
        text.append(line(first.frame.number + added + place, row, call, kept, layout.bytes))
      }
      let ending = layout.bytes[last.line.upperBound...].first == 0x0d ? [0x0d, 0x0a] : [0x0a] as [UInt8]
      lines.append((first.line.lowerBound..<last.line.upperBound, Array(text.joined(separator: ending))))
      added += text.count - rows.count
    }
    return lines
  }

  /// A line in the columns of `row`, with its own words behind the address where `kept` is given.
  private static func line(
    _ number: Int, _ row: AppleCrashLayout.FrameRow, _ call: CrashReport.Call?, _ kept: AppleCrashLayout.FrameRow?,
    _ bytes: [UInt8]
  ) -> [UInt8] {
    let digits = String(number)
    let width = row.frame.middle.lowerBound - row.line.lowerBound
    var line = Array(digits.utf8) + Array(repeating: 0x20, count: max(width - digits.utf8.count, 1))
    line += bytes[row.frame.middle]
    if kept != nil {
      line += bytes[row.frame.middle.upperBound..<row.line.upperBound]
    } else if let call {
      line += [0x20] + CrashText.symbol(call).utf8
    }
    return line
  }
}

extension CrashText {
  /// `main + 44 (main.swift:12) [inlined]`: a call as the last column of a backtrace has it.
  package static func symbol(_ call: CrashReport.Call) -> String {
    var text = name(call)
    if let offset = call.offset { text += " + \(offset)" }
    if let file = call.file, !file.isEmpty, !file.hasSuffix("<compiler-generated>"),
      call.line != nil || call.offset == nil
    {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      text += call.line.map { " (\(name):\($0))" } ?? " (\(name))"
    }
    return text + (call.isInlined ? " [inlined]" : "")
  }
}
