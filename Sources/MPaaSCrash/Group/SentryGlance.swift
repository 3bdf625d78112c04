import MPaaSSupport

/// Reads of a Sentry event only what grouping and a list of crashes need: the facts, the stack that tells why, and the
/// images it is in.
///
/// The event is thinned and then read by `SentryEvent`, so the fingerprint is the same as that of the whole event; nil
/// where the bytes are not laid out as expected, and are then to be read whole.
struct SentryGlance {
  private let bytes: UnsafeRawBufferPointer
  private var event: JSONValue.Object = [:]
  private var addresses: Set<UInt64> = []
  /// Where the images stand, with their place in memory; nil where the event has none.
  private var images: [(place: Int, image: CrashReport.Image)]?

  static func read(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    var glance = SentryGlance(bytes: bytes)
    guard glance.readTopLevel() else { return nil }
    return try? SentryEvent.read(glance.event)
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Short members, kept as they are.
  private static let plain: [StaticString] = [
    "event_id", "timestamp", "platform", "level", "release", "environment", "message", "logentry", "fingerprint",
    "transaction", "logger", "user", "culprit",
  ]
  private static let contexts: [StaticString] = ["os", "device", "app"]
  private static let frame: [StaticString] = [
    "instruction_addr", "function", "raw_function", "symbol_addr", "abs_path", "filename", "lineno", "package",
    "image_addr", "module", "in_app",
  ]
  private static let image: [StaticString] = [
    "image_addr", "image_size", "code_file", "name", "arch", "cpu_type", "cpu_subtype", "code_id", "uuid", "debug_id",
    "id",
  ]

  private mutating func readTopLevel() -> Bool {
    var copy = self
    var skim = JSONSkim(bytes)
    let isEvent = skim.object { name, skim in
      if skim.isName(name, "exception") { return copy.readExceptions(&skim) }
      if skim.isName(name, "threads") { return copy.readThreads(&skim) }
      if skim.isName(name, "debug_meta") {
        copy.images = nil
        return skim.object { name, skim in
          return skim.isName(name, "images") ? copy.readImages(&skim) : skim.skip()
        }
      }
      if skim.isName(name, "contexts") {
        guard let contexts = Self.members(Self.contexts, &skim) else { return false }
        copy.event["contexts"] = .object(contexts)
        return true
      }
      return Self.keep(Self.plain, name, &skim, &copy.event)
    }
    guard isEvent, skim.isAtEnd(), copy.keepImages() else { return false }
    self = copy
    return true
  }

  /// Keeps the last exception of a list or of `values`: the others led to it.
  private mutating func readExceptions(_ skim: inout JSONSkim) -> Bool {
    var last: JSONValue?
    guard
      list(
        &skim,
        { copy, _, skim in
          last = copy.stackOwner(["type", "value", "mechanism", "module"], &skim)
          return last != nil
        })
    else { return false }
    event["exception"] = ["values": .array(last.map { [$0] } ?? [])]
    return true
  }

  /// Keeps the thread that crashed, or else the first.
  private mutating func readThreads(_ skim: inout JSONSkim) -> Bool {
    var kept: JSONValue?
    var isCrashed = false
    let isList = list(&skim) { copy, index, skim in
      if isCrashed { return skim.skip() }
      var look = skim
      var crashed = false
      let isObject = look.object { name, skim in
        if skim.isName(name, "crashed") { crashed = skim.next == UInt8(ascii: "t") }
        return skim.skip()
      }
      guard isObject else { return false }
      guard crashed || index == 0 else {
        skim = look
        return true
      }
      isCrashed = crashed
      kept = copy.stackOwner(["id", "name", "crashed"], &skim)
      return kept != nil
    }
    guard isList else { return false }
    event["threads"] = ["values": .array(kept.map { [$0] } ?? [])]
    return true
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

  /// The object that is next, with the frames of its `stacktrace` thinned.
  private mutating func stackOwner(_ wanted: [StaticString], _ skim: inout JSONSkim) -> JSONValue? {
    var object: JSONValue.Object = [:]
    var copy = self
    let isObject = skim.object { name, skim in
      guard skim.isName(name, "stacktrace"), skim.next == UInt8(ascii: "{") else {
        return Self.keep(wanted, name, &skim, &object)
      }
      var frames: [JSONValue] = []
      let isTrace = skim.object { name, skim in
        guard skim.isName(name, "frames"), skim.next == UInt8(ascii: "[") else { return skim.skip() }
        return skim.array { _, skim in
          guard let frame = Self.members(Self.frame, &skim) else { return false }
          if let address = JSONMembers.address(frame["instruction_addr"]) { copy.addresses.insert(address) }
          frames.append(.object(frame))
          return true
        }
      }
      object["stacktrace"] = ["frames": .array(frames)]
      return isTrace
    }
    self = copy
    return isObject ? .object(object) : nil
  }

  private mutating func readImages(_ skim: inout JSONSkim) -> Bool {
    guard skim.next == UInt8(ascii: "[") else { return skim.skip() }
    var table: [(place: Int, image: CrashReport.Image)] = []
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
      table.append(
        (place, CrashReport.Image(base: base, size: size, buildID: "", path: "", architecture: "", slide: 0)))
      return isImage
    }
    images = table
    return isList
  }

  /// Keeps the images that frames are in, and the first, which is the program's.
  private mutating func keepImages() -> Bool {
    guard let images else { return true }
    let places = ImageTable(images.map(\.image))
    var wanted = Set(addresses.compactMap(places.index(of:)))
    if !images.isEmpty { wanted.insert(0) }
    var kept: [JSONValue] = []
    for index in wanted.sorted() {
      var skim = JSONSkim(bytes, at: images[index].place)
      guard let image = Self.members(Self.image, &skim) else { return false }
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

  /// The members of the object that is next whose names are wanted; none of what is no object.
  private static func members(_ wanted: [StaticString], _ skim: inout JSONSkim) -> JSONValue.Object? {
    var object: JSONValue.Object = [:]
    guard skim.next == UInt8(ascii: "{") else { return skim.skip() ? [:] : nil }
    return skim.object { name, skim in keep(wanted, name, &skim, &object) } ? object : nil
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
      return true
    }
    guard let value = skim.value() else { return false }
    object[key] = value
    return true
  }
}
