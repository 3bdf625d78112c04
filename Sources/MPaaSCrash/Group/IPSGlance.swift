import MPaaSCrashReport
import MPaaSSupport

/// Reads of an .ips file only what grouping needs: the facts, the stack that tells why, and the images it is in.
///
/// It gives the same fingerprint as `IPSReader`, in a fraction of the time; nil where the file is not laid out as
/// expected, and is then to be read whole.
struct IPSGlance {
  private let bytes: UnsafeRawBufferPointer
  private var header: JSONValue.Object = [:]
  private var body: JSONValue.Object = [:]
  /// The offsets of members whose reading needs others that may follow them.
  private var places: (threads: Int?, images: Int?, exception: Int?, lastWords: Int?)
  /// The frames that count, where they could be read on the way.
  private var frames: [RawFrame]?
  private var images: GlancedImages?

  /// The report with one stack; its other threads and images are left out.
  static func read(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    var glance = IPSGlance(bytes)
    return glance.readTopLevel() ? glance.report() : nil
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private static let headerNames = WantedMembers(
    "app_name", "name", "app_version", "build_version", "timestamp", "bug_type", "os_version", "bundleID",
    "incident_id")
  private static let bodyNames = WantedMembers(
    "captureTime", "bundleInfo", "osVersion", "modelCode", "exception", "faultingThread", "procName", "procPath",
    "incident", "termination", "mpaas", "bug_type")

  private mutating func readTopLevel() -> Bool {
    var skim = JSONSkim(bytes)
    header.reserveCapacity(16)
    body.reserveCapacity(24)
    var copy = self
    let isHeader = skim.object { name, skim in Self.headerNames.take(name, &skim, into: &copy.header) }
    // Other formats are JSON too, and have no such first line.
    guard isHeader, copy.header["bug_type"] != nil, !skim.isAtEnd() else { return false }
    let isBody = skim.object { name, skim in copy.readMember(name, &skim) }
    guard isBody, skim.isAtEnd() else { return false }
    self = copy
    return places.threads != nil
  }

  private mutating func readMember(_ name: Range<Int>, _ skim: inout JSONSkim) -> Bool {
    if skim.isName(name, "threads") {
      places.threads = skim.offset
      frames = nil
      // Apple and we write which thread it is before the threads; elsewhere they are gone through a second time.
      guard let faulting: Int = body["faultingThread"]?.integer() else { return skim.skip() }
      frames = Self.decisiveFrames(&skim, faulting)
      return frames != nil
    }
    if skim.isName(name, "usedImages") {
      places.images = skim.offset
      images = nil
      guard let frames, places.exception == nil, let path = body["procPath"]?.string else { return skim.skip() }
      images = GlancedImages(&skim, of: frames, main: path)
      return images != nil
    }
    if skim.isName(name, "lastExceptionBacktrace") { places.exception = skim.offset }
    if skim.isName(name, "asi") { places.lastWords = skim.offset }
    return Self.bodyNames.take(name, &skim, into: &body)
  }

  private mutating func report() -> CrashReport? {
    var stack: [RawFrame] = []
    if let place = places.exception {
      var skim = JSONSkim(bytes, at: place)
      guard RawFrame.read(&skim, into: &stack) else { return nil }
    }
    let isException = !stack.isEmpty
    if isException, let place = places.lastWords {
      // Only they name the exception.
      var skim = JSONSkim(bytes, at: place)
      body["asi"] = skim.value()
    }
    var report = IPSReader.facts(header: header, body: body)
    if report.kind != .crash { return nil }
    if let termination = body["termination"] { report.extra["termination"] = termination }
    if !isException {
      guard let found = frames ?? secondLook(report.faultingThread) else { return nil }
      stack = found
    }
    guard let table = imageTable(isException ? nil : images, of: stack, main: report.process.path) else { return nil }
    report.images = table.images
    let joined = RawFrame.joined(stack, table.places)
    var thread = CrashReport.Thread(id: 0)
    if isException { report.lastExceptionBacktrace = joined } else { thread.frames = joined }
    report.threads = [thread]
    report.faultingThread = 0
    return report
  }

  private func imageTable(_ known: GlancedImages?, of frames: [RawFrame], main: String) -> GlancedImages? {
    if let known { return known }
    guard let place = places.images else { return nil }
    var skim = JSONSkim(bytes, at: place)
    return GlancedImages(&skim, of: frames, main: main)
  }

  private func secondLook(_ faulting: Int?) -> [RawFrame]? {
    guard let place = places.threads else { return nil }
    var skim = JSONSkim(bytes, at: place)
    return Self.decisiveFrames(&skim, faulting)
  }

  /// The frames of the thread that crashed, of the one that is marked, or of the first.
  private static func decisiveFrames(_ skim: inout JSONSkim, _ faulting: Int?) -> [RawFrame]? {
    var chosen: [RawFrame]?
    var isMarked = false
    let isWhole = skim.array { index, skim in
      if isMarked || faulting != nil && index != faulting { return skim.skip() }
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
    // A report without such a thread is read in full, which knows what else may be in it.
    return isWhole ? chosen : nil
  }
}

/// The images that frames are in, the program's own first.
private struct GlancedImages {
  private(set) var images: [CrashReport.Image] = []
  /// The new places of images by their old ones.
  private(set) var places: [Int: Int] = [:]

  init?(_ skim: inout JSONSkim, of frames: [RawFrame], main path: String) {
    let wanted = Set(frames.compactMap(\.image))
    var found: [(index: Int, image: CrashReport.Image)] = []
    var main: (index: Int, image: CrashReport.Image)?
    var count = 0
    var endsNowhere = false
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
    guard let first = main?.image ?? found.first(where: { $0.index == 0 })?.image else { return }
    images = [first]
    for (index, image) in found where wanted.contains(index) {
      if image.path == first.path {
        places[index] = 0
      } else {
        places[index] = images.count
        images.append(image)
      }
    }
  }
}

/// An image as it stands in the file.
private struct RawImage {
  var path: String?
  var name: String?
  private var source: String?
  private var isEmpty = (base: false, size: false)

  /// Tells whether addresses outside every image are given to it.
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
