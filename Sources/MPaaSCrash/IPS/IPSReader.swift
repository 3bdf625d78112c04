package import MPaaSSupport

/// Reads a report in Apple's .ips layout, our own or a foreign one.
///
/// A missing member leaves its default in the model. A member that the model has no place for is kept in the `extra`
/// of the report, thread, frame or image, and is written again by `IPSWriter`.
package enum IPSReader {
  /// Reads the file's bytes: a header line and a body, or a body alone.
  ///
  /// - Throws: `ReportError` with line and offset for what is not JSON, with the member's path for a value of the wrong
  ///   kind where the report's structure hangs on it (`threads`, `frames`, `usedImages`).
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    guard let start = bytes.firstIndex(where: { !isSpace($0) }) else { throw ReportError(.empty) }
    let lineEnd = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    guard let bodyStart = bytes[lineEnd...].firstIndex(where: { !isSpace($0) }),
      case .object(let header)? = try? JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[start..<lineEnd]))
    else {
      return try report(header: [:], body: try object(bytes, from: 0))
    }
    try checkKind(header)
    guard bytes[bodyStart] == UInt8(ascii: "{") else { throw ReportError(.unsupported("Apple .crash")) }
    return try report(header: header, body: try object(bytes, from: lineEnd + 1))
  }

  /// Whether the bytes begin like a file that `read` reads: with an object.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first { !isSpace($0) } == UInt8(ascii: "{")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// Apple's number for the kind of a report: 309 is a crash, 109 one with a text body.
  private static func checkKind(_ header: JSONValue.Object) throws(ReportError) {
    guard let kind = header["bug_type"] else { return }
    let text = kind.string ?? kind.line
    guard text == "309" || text == "109" else { throw ReportError(.otherKind(text)) }
  }

  /// The JSON object that the bytes from `start` on are; places in errors count from the start of the file.
  private static func object(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(ReportError) -> JSONValue.Object {
    do {
      let value = try JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[min(start, bytes.count)...]))
      guard case .object(let object) = value else {
        throw ReportError(.wrongKind(path: "", expected: "object", found: value.kind), offset: start)
      }
      return object
    } catch let error as JSONError {
      let lines = bytes[..<start].reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      throw ReportError(
        .malformed(error.code), offset: start + error.offset, line: lines + error.line, column: error.column)
    } catch let error as ReportError {
      throw error
    } catch {
      throw ReportError(.unknownFormat)
    }
  }

  /// The report that a header and a body give.
  package static func report(
    header: JSONValue.Object, body: JSONValue.Object
  ) throws(ReportError) -> CrashReport {
    let known = ["threads", "exception", "procName", "incident", "usedImages"]
    guard known.contains(where: { body[$0] != nil }) else { throw ReportError(.missing(path: "threads")) }
    var report = facts(header: header, body: body)
    var images = try elements(body["usedImages"], "usedImages")
    if let last = images.last, isNowhere(last) { images.removeLast() }
    report.images = images.map(image)
    for (index, object) in try elements(body["threads"], "threads").enumerated() {
      report.threads.append(
        try thread(object, "threads[\(index)]", images: report.images, isTriggered: index == report.faultingThread))
    }
    report.lastExceptionBacktrace = frames(
      try elements(body["lastExceptionBacktrace"], "lastExceptionBacktrace"), images: report.images)
    var rest = body
    rest["lastExceptionBacktrace"] = nil
    rest["threads"] = nil
    rest["usedImages"] = nil
    report.extra = IPSOverlay.rest(of: rest, after: IPSWriter.facts(of: report))
    report.extraHeader = IPSOverlay.rest(of: header, after: IPSWriter.header(of: report))
    return report
  }

  /// The objects of an array; none where it is absent.
  static func elements(_ value: JSONValue?, _ path: String) throws(ReportError) -> [JSONValue.Object] {
    guard let value, value != .null else { return [] }
    guard case .array(let elements) = value else {
      throw ReportError(.wrongKind(path: path, expected: "array", found: value.kind))
    }
    var objects: [JSONValue.Object] = []
    objects.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard case .object(let object) = element else {
        throw ReportError(.wrongKind(path: "\(path)[\(index)]", expected: "object", found: element.kind))
      }
      objects.append(object)
    }
    return objects
  }
}
