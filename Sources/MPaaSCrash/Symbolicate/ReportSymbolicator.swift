package import MPaaSCrashReport
import MPaaSSymbols

/// Gives the frames of a report their functions, files and lines.
///
/// `CodeAddress` says at which address a frame is looked up; signal trampolines are named as such. Symbols that a
/// report has already stay where nothing better is found. Each image is opened once, and its addresses are looked up in
/// rising order.
package struct ReportSymbolicator: Sendable {
  /// Opens the symbols of an image: only a file of the same build may be taken.
  package var open: @Sendable (CrashReport.Image) -> ImageSymbols
  package var demangle: @Sendable (String) -> String

  package init(
    open: @escaping @Sendable (CrashReport.Image) -> ImageSymbols, demangle: @escaping @Sendable (String) -> String
  ) {
    self.open = open
    self.demangle = demangle
  }

  /// The report with symbols, and the images that symbols are missing for, those with the most frames first.
  package func symbolicate(_ report: CrashReport) -> SymbolicatedReport {
    var report = report
    assignImages(&report)
    var opened: [Int: ImageSymbols] = [:]
    markSignalTrampolines(of: &report, &opened)
    report.nameSignalTrampolines()
    var missing: [MissingSymbols] = []
    for (index, places) in places(in: report).sorted(by: { $0.key < $1.key }) {
      let image = report.images[index]
      let symbols = opened.removeValue(forKey: index) ?? open(image)
      let lack = fill(&report, places, symbols)
      let isSystem = RuntimeCode.isSystem(image, main: report.mainImage)
      guard let reason = symbols.reason, lack == .names || lack == .lines && !isSystem else { continue }
      missing.append(
        MissingSymbols(
          uuid: image.buildID, name: image.name, path: image.path, reason: reason, searched: symbols.searched,
          nearMisses: symbols.nearMisses, command: SymbolsCommandLine(image, reason, in: report).text,
          frames: places.count))
    }
    missing.sort { ($1.frames, $0.name) < ($0.frames, $1.name) }
    return SymbolicatedReport(report: report, missing: missing)
  }

  /// Marks signal trampolines; in reports of others, which do not tell of them, by what the images say of an address.
  private func markSignalTrampolines(of report: inout CrashReport, _ opened: inout [Int: ImageSymbols]) {
    let images = report.images
    guard report.origin == .foreign else { return report.markSignalTrampolines() }
    report.markSignalTrampolines { index, frames in
      guard let image = frames[index].image else { return false }
      let symbols = opened[image] ?? open(images[image])
      opened[image] = symbols
      let address = frames[index].address &- images[image].slide
      guard let isSignalFrame = symbols.isSignalFrame else { return false }
      if isSignalFrame(address) { return true }
      let found = symbols.frames?(address).last
      return (found?.offset ?? 0) == 0 && found?.symbol.map(SignalTrampoline.isName) == true
    }
  }

  /// A frame of the report, and the address to look up for it.
  private struct Place {
    /// As `report[stack:]` counts them.
    let stack: Int
    let frame: Int
    let address: UInt64
  }

  /// Finds the image of frames whose capture did not know it.
  private func assignImages(_ report: inout CrashReport) {
    let images = ImageTable(report.images)
    for stack in report.stackIndices {
      for index in report[stack: stack].indices {
        let frame = report[stack: stack][index]
        if let image = frame.image, report.images.indices.contains(image) { continue }
        let address = report.lookupAddress(ofFrame: index, inStack: stack)
        // An address that lies nowhere may be one that pointer authentication signed.
        report[stack: stack][index].image =
          images.index(of: address)
          ?? images.index(of: address.withoutPointerAuthentication(architecture: "arm64e"))
      }
    }
  }

  /// The frames of each image, by its index.
  private func places(in report: CrashReport) -> [Int: [Place]] {
    var places: [Int: [Place]] = [:]
    for stack in report.stackIndices {
      for (index, frame) in report[stack: stack].enumerated() {
        guard let image = frame.image else { continue }
        if CrashReport.isSignalTrampoline(index, of: report[stack: stack]) { continue }
        let address = report.lookupAddress(ofFrame: index, inStack: stack) &- report.images[image].slide
        places[image, default: []].append(Place(stack: stack, frame: index, address: address))
      }
    }
    return places.mapValues { $0.sorted { $0.address < $1.address } }
  }

  /// The things that the frames of an image lack.
  private enum Lack { case names, lines, nothing }

  /// Fills in the calls of an image's frames; tells what the frame that has least is left without.
  private func fill(_ report: inout CrashReport, _ places: [Place], _ symbols: ImageSymbols) -> Lack {
    var least = 2
    var last: (address: UInt64, calls: [CrashReport.Call])?
    for place in places {
      var calls = last?.address == place.address ? last?.calls ?? [] : []
      if last?.address != place.address, let frames = symbols.frames {
        calls = frames(place.address).map(call)
      }
      last = (place.address, calls)
      let known = report[stack: place.stack][place.frame].calls
      if Self.isBetter(calls, than: known) { report[stack: place.stack][place.frame].calls = calls }
      least = min(least, Self.rank(report[stack: place.stack][place.frame].calls))
    }
    return least == 0 ? .names : least == 1 ? .lines : .nothing
  }

  /// Tells whether found calls say more than what a frame has: lines count more than names, any name more than none.
  private static func isBetter(_ calls: [CrashReport.Call], than known: [CrashReport.Call]) -> Bool {
    let found = rank(calls)
    return found > 0 && found >= rank(known)
  }

  /// 2 with lines, 1 with names, else 0.
  private static func rank(_ calls: [CrashReport.Call]) -> Int {
    if calls.contains(where: { $0.line != nil }) { return 2 }
    return calls.contains { !$0.function.isEmpty } ? 1 : 0
  }

  private func call(_ frame: SourceFrame) -> CrashReport.Call {
    var call = CrashReport.Call(function: frame.symbol.map(demangle) ?? "")
    call.symbol = frame.symbol == call.function ? nil : frame.symbol
    // There is no use for a distance from a function that has no name.
    call.offset = frame.symbol == nil ? nil : frame.offset
    call.file = frame.file
    call.line = frame.line
    call.column = frame.column
    call.isInlined = frame.isInlined
    return call
  }
}
