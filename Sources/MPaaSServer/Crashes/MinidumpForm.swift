import MPaaSProtocol
import MPaaSSupport

/// A minidump as Breakpad, Crashpad and Electron send it: the file, what is told of it in fields, and other files.
///
/// - Source: "Minidumps", docs.sentry.io/platforms/native/guides/minidumps.
struct MinidumpForm {
  /// The field that the dump is in.
  static let field = "upload_file_minidump"

  var dump: [UInt8]
  /// The facts of the fields, as an event.
  var event: JSONValue.Object = [:]
  var attachments: [(filename: String, type: String, content: [UInt8])] = []

  /// The event as Sentry's native SDK writes it, in MessagePack.
  private static let nativeEvent = "__sentry-event"
  private static let deepest = 8
  /// Bytes of all that the fields tell, the largest event that Sentry takes.
  private static let largestEvent = 1 << 20

  /// - Parameters:
  ///   - contentType: Of anything but a form, the body is the dump itself.
  ///   - hold: Asked for what a compressed dump expands to.
  /// - Throws: `ServerError`; `Refusal` where the dump expands past the limits.
  init(
    _ bytes: UnsafeRawBufferPointer, contentType: String?, _ limits: ServerConfiguration.Limits, _ hold: BodyHold? = nil
  ) throws {
    guard let boundary = MultipartForm.boundary(of: contentType) else {
      dump = try Self.dump(Array(bytes), limits, hold)
      return
    }
    let form = try MultipartForm(bytes, boundary: boundary)
    func content(_ part: MultipartForm.Part) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[part.content])
    }
    guard let file = form.parts.first(where: { $0.name == Self.field }) else { throw ServerError(.minidumpMissing) }
    dump = try Self.dump(try Self.nested(content(file)) ?? Array(content(file)), limits, hold)
    let size = form.parts.reduce(0) { $0 + (Self.isTold($1) ? $1.content.count : 0) }
    guard size <= Self.largestEvent else { throw Refusal(.tooLarge, ["limit": String(Self.largestEvent)]) }
    // The event that the SDK wrote before the crash comes first; fields add to it.
    if let native = form.parts.first(where: { $0.name == Self.nativeEvent }),
      let event = MessagePack.value(content(native))?.object
    {
      self.event = event
    }
    var pieces: [Int: String] = [:]
    for part in form.parts where part != file && part.name != Self.nativeEvent {
      if !Self.isTold(part) {
        attachments.append(
          (part.filename ?? part.name, part.type ?? "application/octet-stream", Array(content(part))))
      } else if let number = Self.piece(part.name) {
        pieces[number] = String(decoding: content(part), as: UTF8.self)
      } else {
        take(part.name, content(part))
      }
    }
    let whole = pieces.sorted { $0.key < $1.key }.map(\.value).joined()
    let told = Array(whole.utf8).withUnsafeBytes { try? JSONValue(reading: $0).object }
    if let told = told ?? nil { event = Self.merged(event, told) }
  }

  /// The name of the event as the fields tell it.
  var eventID: String? { event["event_id"]?.string.flatMap(SentryEnvelope.eventID) }

  /// Tells whether a part tells something of the crash, rather than being a file that belongs to it.
  private static func isTold(_ part: MultipartForm.Part) -> Bool {
    part.name == nativeEvent || part.filename == nil && part.name != field && !part.name.hasPrefix("__sentry-")
  }

  /// `2` of `sentry__2`: a long value comes in pieces.
  private static func piece(_ name: String) -> Int? {
    name.hasPrefix("sentry__") ? Int(name.dropFirst(8)) : nil
  }

  /// Takes a plain field: JSON in `sentry` and `sentry___SPACE`, one value in `sentry[a][b]`, anything else beside.
  private mutating func take(_ name: String, _ content: UnsafeRawBufferPointer) {
    if name == "sentry" || name.hasPrefix("sentry___") {
      if let told = try? JSONValue(reading: content).object { event = Self.merged(event, told) }
      return
    }
    let text = JSONValue.string(String(decoding: content, as: UTF8.self))
    let path = Self.path(name) ?? ["extra", name]
    event = Self.merged(event, Self.nested(path[...], text).object ?? [:])
  }

  /// `["a", "b"]` of `sentry[a][b]`.
  private static func path(_ name: String) -> [String]? {
    guard name.hasPrefix("sentry["), name.hasSuffix("]") else { return nil }
    let names = name.dropFirst(7).dropLast().split(separator: "][", omittingEmptySubsequences: false).map(String.init)
    return names.count <= deepest && !names.contains("") ? names : nil
  }

  private static func nested(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
    guard let name = path.first else { return value }
    return .object([name: nested(path.dropFirst(), value)])
  }

  /// The members of both; where both have objects, the members of these.
  private static func merged(_ first: JSONValue.Object, _ second: JSONValue.Object) -> JSONValue.Object {
    first.merging(second) { old, new in
      guard let old = old.object, let new = new.object else { return new }
      return .object(merged(old, new))
    }
  }

  /// The dump within a form within the field, as early versions of Electron send it.
  private static func nested(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8]? {
    guard bytes.starts(with: "--".utf8) else { return nil }
    let boundary = String(decoding: bytes.prefix(202).dropFirst(2).prefix { $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
    let form = try MultipartForm(bytes, boundary: boundary)
    guard let part = form.parts.first(where: { $0.name == field }) else { throw ServerError(.minidumpMissing) }
    return Array(bytes[part.content])
  }

  /// The dump itself, decompressed where it came as a .gz or .zst file.
  private static func dump(
    _ bytes: [UInt8], _ limits: ServerConfiguration.Limits, _ hold: BodyHold?
  ) throws -> [UInt8] {
    var bytes = bytes
    if bytes.starts(with: [0x1f, 0x8b]) { bytes = try BodyDecoding.gzip.decoded(bytes, limits, hold) }
    if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { bytes = try BodyDecoding.zstd.decoded(bytes, limits, hold) }
    guard bytes.starts(with: "MDMP".utf8) || bytes.starts(with: "PMDM".utf8) else {
      throw ServerError(.minidumpMissing)
    }
    return bytes
  }
}
