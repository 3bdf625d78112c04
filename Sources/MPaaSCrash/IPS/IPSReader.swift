package import MPaaSCrashReport
package import MPaaSSupport

/// Reads a report in Apple's .ips layout, our own or a foreign one.
///
/// A missing member leaves its default in the model. A member that the model has no place for is kept in the `extra`
/// of the report, thread, frame or image, and is written again by `IPSWriter`.
package enum IPSReader {
  /// Tells whether the bytes begin like a file that `read` reads: with an object.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first { !isSpace($0) } == UInt8(ascii: "{")
  }

  /// White space between JSON documents.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// The report whose JSON begins at `start`; places in errors count from the start of the file.
  ///
  /// Documents behind the first are kept as `documents`.
  static func body(
    _ bytes: UnsafeRawBufferPointer, from start: Int, header: JSONValue.Object?
  ) throws(ReportError) -> CrashReport {
    var documents: [JSONValue] = []
    var place = start
    while let next = bytes[min(place, bytes.count)...].firstIndex(where: { !isSpace($0) }) {
      do throws(JSONError) {
        var end = 0
        documents.append(
          try JSONValue(readingFirstOf: UnsafeRawBufferPointer(rebasing: bytes[next...]), end: &end))
        place = next + end
      } catch {
        throw broken(error, bytes, from: next)
      }
      if bytes[place...].first(where: { !isSpace($0) }).map({ $0 != UInt8(ascii: "{") }) == true {
        throw broken(
          JSONError(code: .trailingBytes, offset: place - next, line: 1, column: 1), bytes, from: next)
      }
    }
    guard let first = documents.first else { throw ReportError(.malformed(.endOfInput), offset: bytes.count) }
    guard case .object(let object) = first else {
      throw ReportError(.wrongKind(path: "", expected: "object", found: first.kind), offset: start)
    }
    var report = try report(header: header, body: object)
    if documents.count > 1 {
      report.extra = IPSOverlay.merge(report.extra, ["documents": .array(Array(documents.dropFirst()))])
    }
    return report
  }

  /// The one JSON object that the bytes are.
  static func object(
    _ bytes: UnsafeRawBufferPointer, by rules: JSONRules = .lenient
  ) throws(ReportError) -> JSONValue.Object {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(reading: bytes, by: rules)
    } catch {
      throw broken(error, bytes, from: 0)
    }
    guard case .object(let object) = value else {
      throw ReportError(.wrongKind(path: "", expected: "object", found: value.kind), offset: 0)
    }
    return object
  }

  /// The error of a document that begins at `start`, with its place in the file.
  private static func broken(_ error: JSONError, _ bytes: UnsafeRawBufferPointer, from start: Int) -> ReportError {
    let offset = start + error.offset
    let lines = bytes[..<offset].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let lineStart = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return ReportError(
      .malformed(error.code), offset: offset, line: lines, column: offset - lineStart + 1)
  }

  /// The report that a header and a body give.
  ///
  /// - Parameter header: Nil where the file has none; then the body must have a member that tells a report.
  package static func report(
    header: JSONValue.Object?, body: JSONValue.Object
  ) throws(ReportError) -> CrashReport {
    let known = ["threads", "exception", "procName", "incident", "usedImages", "bug_type"]
    guard header?["bug_type"] != nil || known.contains(where: { body[$0] != nil }) else {
      throw ReportError(.missing(path: "threads"))
    }
    let header = header ?? [:]
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
    if body["threads"] == nil, body["usedImages"] == nil { fillStackshot(&report, from: body) }
    nameProcess(&report, from: body)
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
