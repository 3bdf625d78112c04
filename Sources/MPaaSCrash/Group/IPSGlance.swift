import MPaaSSupport

/// Reads of an .ips file only what grouping needs: the facts, the stack that tells why, and the images it is in.
///
/// It gives the same fingerprint as `IPSReader`, in a fraction of the time; nil where the file is not laid out as
/// expected, and is then to be read whole.
struct IPSGlance {
  private var skim: JSONSkim
  private var header: JSONValue.Object = [:]
  private var body: JSONValue.Object = [:]
  private var threads: Int?
  private var images: Int?
  private var exceptionBacktrace: Int?

  /// The report with one stack; its other threads and images are left out.
  static func read(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    var glance = IPSGlance(skim: JSONSkim(bytes))
    guard glance.readTopLevel() else { return nil }
    return glance.report()
  }

  private static let headerNames: [StaticString] = [
    "app_name", "name", "app_version", "build_version", "timestamp", "bug_type", "os_version", "bundleID", "incident_id",
  ]
  private static let bodyNames: [StaticString] = [
    "captureTime", "bundleInfo", "osVersion", "modelCode", "exception", "faultingThread", "procName", "procPath",
    "incident", "termination", "mpaas", "bug_type", "asi",
  ]

  private mutating func readTopLevel() -> Bool {
    var header: JSONValue.Object = [:]
    let isHeader = skim.object { name, skim in Self.keep(Self.headerNames, name, &skim, &header) }
    // Other formats are JSON too, and have no such first line.
    guard isHeader, header["bug_type"] != nil, !skim.isAtEnd() else { return false }
    self.header = header
    var body: JSONValue.Object = [:]
    var places: (threads: Int?, images: Int?, exception: Int?)
    let isBody = skim.object { name, skim in
      if skim.isName(name, "threads") { places.threads = skim.offset }
      if skim.isName(name, "usedImages") { places.images = skim.offset }
      if skim.isName(name, "lastExceptionBacktrace") { places.exception = skim.offset }
      return Self.keep(Self.bodyNames, name, &skim, &body)
    }
    guard isBody, skim.isAtEnd() else { return false }
    self.body = body
    (threads, images, exceptionBacktrace) = (places.threads, places.images, places.exception)
    return threads != nil
  }

  /// Reads the value where its name is wanted, and goes past it.
  private static func keep(
    _ wanted: [StaticString], _ name: Range<Int>, _ skim: inout JSONSkim, _ object: inout JSONValue.Object
  ) -> Bool {
    guard let wanted = wanted.first(where: { skim.isName(name, $0) }) else { return skim.skip() }
    let key = wanted.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    if skim.next == UInt8(ascii: "\"") {
      guard let text = skim.string() else { return false }
      object[key] = .string(text)
    } else {
      guard let value = skim.value() else { return false }
      object[key] = value
    }
    return true
  }

  private mutating func report() -> CrashReport? {
    var report = IPSReader.facts(header: header, body: body)
    if report.kind != .crash { return nil }
    if let termination = body["termination"] { report.extra["termination"] = termination }
    var frames: [RawFrame] = []
    var isException = false
    if let place = exceptionBacktrace {
      var skim = JSONSkim(skim.bytes, at: place)
      guard RawFrame.read(&skim, into: &frames) else { return nil }
      isException = !frames.isEmpty
    }
    if !isException {
      guard let found = decisiveFrames(report.faultingThread) else { return nil }
      frames = found
    }
    guard let places = readImages(&report, of: frames) else { return nil }
    let stack = RawFrame.joined(frames, places)
    if isException { report.lastExceptionBacktrace = stack }
    var thread = CrashReport.Thread(id: 0)
    if !isException { thread.frames = stack }
    report.threads = [thread]
    report.faultingThread = 0
    return report
  }

  /// The frames of the thread that crashed, of the one that is marked, or of the first.
  private func decisiveFrames(_ faulting: Int?) -> [RawFrame]? {
    guard let threads else { return nil }
    var chosen: [RawFrame]?
    var isMarked = false
    var skim = JSONSkim(self.skim.bytes, at: threads)
    let isWhole = skim.array { index, skim in
      if let faulting, index != faulting, index > 0 || chosen != nil { return skim.skip() }
      if isMarked { return skim.skip() }
      var frames: [RawFrame] = []
      var isTriggered = false
      let isThread = skim.object { name, skim in
        if skim.isName(name, "frames") {
          frames = []
          return RawFrame.read(&skim, into: &frames)
        }
        if skim.isName(name, "triggered") { isTriggered = skim.next == UInt8(ascii: "t") }
        return skim.skip()
      }
      if index == 0 || index == faulting || faulting == nil && isTriggered { chosen = frames }
      isMarked = faulting == nil && isTriggered
      return isThread
    }
    // A report without threads is read in full, which knows what else may be in it.
    return isWhole ? chosen : nil
  }

  /// Reads the images that frames are in, the program's own first; gives their new places by their old ones.
  private func readImages(_ report: inout CrashReport, of frames: [RawFrame]) -> [Int: Int]? {
    guard let images else { return nil }
    let wanted = Set(frames.compactMap(\.image))
    var found: [(index: Int, image: CrashReport.Image)] = []
    var main: (index: Int, image: CrashReport.Image)?
    var count = 0
    var endsNowhere = false
    let path = report.process.path
    var skim = JSONSkim(self.skim.bytes, at: images)
    let isWhole = skim.array { index, skim in
      var image = RawImage()
      guard image.read(&skim) else { return false }
      count = index + 1
      endsNowhere = image.isNowhere
      let text = image.path ?? image.name ?? ""
      if main == nil, text == path { main = (index, image.image) }
      if index == 0 || wanted.contains(index) { found.append((index, image.image)) }
      return true
    }
    guard isWhole else { return nil }
    if endsNowhere {
      if found.last?.index == count - 1 { found.removeLast() }
      if main?.index == count - 1 { main = nil }
    }
    var places: [Int: Int] = [:]
    guard let first = main?.image ?? found.first(where: { $0.index == 0 })?.image else { return places }
    report.images = [first]
    for (index, image) in found where wanted.contains(index) {
      if image.path == first.path {
        places[index] = 0
      } else {
        places[index] = report.images.count
        report.images.append(image)
      }
    }
    return places
  }
}

/// An image as it stands in the file.
private struct RawImage {
  var path: String?
  var name: String?
  private var source: String?
  private var isEmpty = (base: false, size: false)

  /// Whether addresses outside every image are given to it.
  var isNowhere: Bool { source == "A" && isEmpty.base && isEmpty.size && (path ?? "").isEmpty }

  var image: CrashReport.Image {
    CrashReport.Image(base: 0, size: 0, buildID: "", path: path ?? name ?? "", architecture: "", slide: 0)
  }

  mutating func read(_ skim: inout JSONSkim) -> Bool {
    var copy = self
    let isWhole = skim.object { name, skim in
      if skim.next == UInt8(ascii: "\"") {
        guard let text = skim.stringRange() else { return false }
        if skim.isName(name, "path") { copy.path = skim.text(text) }
        if skim.isName(name, "name") { copy.name = skim.text(text) }
        if skim.isName(name, "source") { copy.source = skim.text(text) }
        return true
      }
      let isZero = skim.next == UInt8(ascii: "0")
      if skim.isName(name, "base") { copy.isEmpty.base = isZero }
      if skim.isName(name, "size") { copy.isEmpty.size = isZero }
      return skim.skip()
    }
    self = copy
    return isWhole
  }
}
