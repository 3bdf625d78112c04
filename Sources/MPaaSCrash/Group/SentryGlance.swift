import MPaaSCrashReport
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads of a Sentry event only what grouping and a list of crashes need: the facts, the stack that tells why, and the
/// images it is in.
///
/// The event is thinned and then read by `SentryEvent`, so the fingerprint is the same as that of the whole event; nil
/// where the bytes are not laid out as expected, and are then to be read whole.
struct SentryGlance {
  private let bytes: UnsafeRawBufferPointer
  private var event: JSONValue.Object = [:]
  private var addresses: Set<UInt64> = []
  /// The places of the thread and the exception that tell why.
  private var thread: (place: Int, isCrashed: Bool)?
  private var exception: Int?
  /// The places of the exceptions that led to it, as far as they are looked at.
  private var causes: [Int] = []
  private static let mostCauses = 10
  /// The places of the images, with their place in memory; nil where the event has none.
  private var images: [(place: Int, span: ImageTable.Span)]?

  /// - Parameter isStrict: Whether nil is given for what is not JSON from its front to its end.
  static func read(_ bytes: UnsafeRawBufferPointer, isStrict: Bool = false) -> CrashReport? {
    var glance = SentryGlance(bytes: bytes)
    guard glance.readTopLevel(isStrict) else { return nil }
    return try? SentryEvent.read(glance.event)
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Short members, kept as they are.
  private static let plain = WantedMembers(
    "event_id", "timestamp", "platform", "level", "release", "environment", "message", "logentry", "fingerprint",
    "transaction", "logger", "user", "culprit", "tags", "dist", "server_name")
  private static let contexts = WantedMembers("os", "device", "app")
  private static let thread = WantedMembers("id", "name", "crashed")
  private static let exception = WantedMembers("type", "value", "mechanism", "module")
  private static let cause = WantedMembers("type")
  private static let causeFrame = WantedMembers("function", "module")
  private static let frame = WantedMembers(
    "instruction_addr", "function", "raw_function", "symbol_addr", "abs_path", "filename", "lineno", "package",
    "image_addr", "module", "in_app")
  private static let image = WantedMembers(
    "image_addr", "image_size", "code_file", "name", "arch", "cpu_type", "cpu_subtype", "code_id", "uuid", "debug_id",
    "id")

  private mutating func readTopLevel(_ isStrict: Bool) -> Bool {
    var copy = self
    var skim = JSONSkim(bytes, isStrict: isStrict)
    let isEvent = skim.object { name, skim in
      if skim.isName(name, "exception") { return copy.findException(&skim) }
      if skim.isName(name, "threads") { return copy.findThread(&skim) }
      if skim.isName(name, "debug_meta") {
        copy.images = nil
        return skim.object { name, skim in
          return skim.isName(name, "images") ? copy.readImages(&skim) : skim.skip()
        }
      }
      if skim.isName(name, "contexts") {
        guard let contexts = Self.contexts.read(&skim) else { return false }
        copy.event["contexts"] = .object(contexts)
        return true
      }
      return Self.plain.take(name, &skim, into: &copy.event)
    }
    guard isEvent, skim.isAtEnd(), copy.readStacks(), copy.keepImages() else { return false }
    self = copy
    return true
  }

  /// Finds the last exception of a list or of `values`: the others led to it.
  private mutating func findException(_ skim: inout JSONSkim) -> Bool {
    exception = nil
    causes = []
    event["exception"] = ["values": .array([])]
    return list(&skim) { copy, _, skim in
      if let cause = copy.exception, copy.causes.count < Self.mostCauses { copy.causes.append(cause) }
      copy.exception = skim.offset
      return skim.next == UInt8(ascii: "{") && skim.skip()
    }
  }

  /// Finds the thread that crashed, or else the first.
  private mutating func findThread(_ skim: inout JSONSkim) -> Bool {
    thread = nil
    event["threads"] = ["values": .array([])]
    return list(&skim) { copy, index, skim in
      if copy.thread?.isCrashed == true { return skim.skip() }
      let place = skim.offset
      var isCrashed = false
      let isObject = skim.object { name, skim in
        if skim.isName(name, "crashed") { isCrashed = skim.next == UInt8(ascii: "t") }
        return skim.skip()
      }
      if isCrashed || index == 0 { copy.thread = (place, isCrashed) }
      return isObject
    }
  }

  /// Reads the thread and the exception that were found.
  private mutating func readStacks() -> Bool {
    var crashed: Range<Int>?
    if let (place, isCrashed) = thread {
      guard let owner = stackOwner(Self.thread, at: place, besides: nil) else { return false }
      event["threads"] = ["values": .array([.object(owner.object)])]
      if isCrashed { crashed = owner.frames }
    }
    if let place = exception {
      // Most often it is the stack of the thread once more, and then says nothing new.
      guard let owner = stackOwner(Self.exception, at: place, besides: crashed) else {
        return false
      }
      event["exception"] = ["values": .array(causes.compactMap(cause) + [.object(owner.object)])]
    }
    return true
  }

  /// An exception that led to another, with the names of its calls; nil for what is none.
  private func cause(at place: Int) -> JSONValue? {
    var (object, frames): (JSONValue.Object, [JSONValue]) = ([:], [])
    var skim = JSONSkim(bytes, at: place)
    let isObject = skim.object { name, skim in
      guard skim.isName(name, "stacktrace"), skim.next == UInt8(ascii: "{") else {
        return Self.cause.take(name, &skim, into: &object)
      }
      return skim.object { name, skim in
        guard skim.isName(name, "frames"), skim.next == UInt8(ascii: "[") else { return skim.skip() }
        return skim.array { _, skim in
          guard let frame = Self.causeFrame.read(&skim) else { return false }
          frames.append(.object(frame))
          return true
        }
      }
    }
    guard isObject else { return nil }
    object["stacktrace"] = ["frames": .array(frames)]
    return .object(object)
  }

  /// Goes through an array, or the array of an object's `values`; null is an empty one.
  private mutating func list(
    _ skim: inout JSONSkim, _ element: (inout SentryGlance, Int, inout JSONSkim) -> Bool
  ) -> Bool {
    var copy = self
    defer { self = copy }
    switch skim.next {
    case UInt8(ascii: "["): return skim.array { index, skim in element(&copy, index, &skim) }
    case UInt8(ascii: "{"):
      return skim.object { name, skim in
        guard skim.isName(name, "values"), skim.next == UInt8(ascii: "[") else { return skim.skip() }
        return skim.array { index, skim in element(&copy, index, &skim) }
      }
    default: return skim.skip()
    }
  }

  /// The object that stands at a place, with the frames of its `stacktrace` thinned, and where they stand.
  ///
  /// - Parameter known: Frames that are left out where they are the same to the letter.
  private mutating func stackOwner(
    _ wanted: WantedMembers, at place: Int, besides known: Range<Int>?
  ) -> (object: JSONValue.Object, frames: Range<Int>?)? {
    var owner: (object: JSONValue.Object, frames: Range<Int>?) = ([:], nil)
    var copy = self
    var skim = JSONSkim(bytes, at: place)
    let isObject = skim.object { name, skim in
      guard skim.isName(name, "stacktrace"), skim.next == UInt8(ascii: "{") else {
        return wanted.take(name, &skim, into: &owner.object)
      }
      return skim.object { name, skim in
        guard skim.isName(name, "frames"), skim.next == UInt8(ascii: "[") else { return skim.skip() }
        let start = skim.offset
        guard skim.skip() else { return false }
        let range = start..<skim.offset
        owner.frames = range
        if let known, copy.isSame(known, range) { return true }
        guard let frames = copy.frames(at: start) else { return false }
        owner.object["stacktrace"] = ["frames": .array(frames)]
        return true
      }
    }
    self = copy
    return isObject ? owner : nil
  }

  private func isSame(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    guard first.count == second.count, let base = bytes.baseAddress else { return false }
    return memcmp(base + first.lowerBound, base + second.lowerBound, first.count) == 0
  }

  private mutating func frames(at place: Int) -> [JSONValue]? {
    var frames: [JSONValue] = []
    var copy = self
    var skim = JSONSkim(bytes, at: place)
    let isList = skim.array { _, skim in
      guard let frame = Self.frame.read(&skim) else { return false }
      if let address = JSONMembers.address(frame["instruction_addr"]) { copy.addresses.insert(address) }
      frames.append(.object(frame))
      return true
    }
    self = copy
    return isList ? frames : nil
  }

  private mutating func readImages(_ skim: inout JSONSkim) -> Bool {
    guard skim.next == UInt8(ascii: "[") else { return skim.skip() }
    var table: [(place: Int, span: ImageTable.Span)] = []
    table.reserveCapacity(400)
    let isList = skim.array { _, skim in
      let place = skim.offset
      var (base, size): (UInt64, UInt64) = (0, 0)
      let isImage = skim.object { name, skim in
        if skim.isName(name, "image_addr") {
          guard let address = Self.address(&skim) else { return skim.skip() }
          base = address
          return true
        }
        if skim.isName(name, "image_size") {
          guard let address = Self.address(&skim) else { return skim.skip() }
          size = address
          return true
        }
        return skim.skip()
      }
      table.append((place, ImageTable.Span(base: base, size: size)))
      return isImage
    }
    images = table
    return isList
  }

  /// Keeps the images that frames are in, and the first, which is the program's.
  private mutating func keepImages() -> Bool {
    guard let images else { return true }
    let places = ImageTable(images.lazy.map(\.span))
    var wanted = Set(addresses.compactMap(places.index(of:)))
    if !images.isEmpty { wanted.insert(0) }
    var kept: [JSONValue] = []
    for index in wanted.sorted() {
      var skim = JSONSkim(bytes, at: images[index].place)
      guard let image = Self.image.read(&skim) else { return false }
      kept.append(.object(image))
    }
    event["debug_meta"] = ["images": .array(kept)]
    return true
  }

  /// An address that stands as a number or as a plain string; nil, with nothing taken, for anything else.
  private static func address(_ skim: inout JSONSkim) -> UInt64? {
    let start = skim
    if skim.next == UInt8(ascii: "\""), let range = skim.stringRange() {
      if let address = hexadecimal(UnsafeRawBufferPointer(rebasing: skim.bytes[range])) { return address }
      if let address = JSONMembers.address(skim.text(range).map(JSONValue.string)) { return address }
    }
    skim = start
    if let address = skim.unsigned() { return address }
    skim = start
    return nil
  }

  /// `0x` and one to sixteen digits; nil for anything else.
  private static func hexadecimal(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard (3...18).contains(text.count), text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "x") else { return nil }
    var address: UInt64 = 0
    for index in 2..<text.count {
      guard let digit = TextBytes.hexDigit(text[index]) else { return nil }
      address = address << 4 | UInt64(digit)
    }
    return address
  }
}
