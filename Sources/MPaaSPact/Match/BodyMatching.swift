import MPaaSJSON
import MPaaSSupport
import MPaaSXML

/// The comparison of bodies by their media types.
struct BodyMatching {
  let rules: PactRuleCategory
  let isStrict: Bool

  init(_ rules: PactRuleCategory, isStrict: Bool) {
    self.rules = rules
    self.isStrict = isStrict
  }

  func compare(
    _ expected: PactBody, _ expectedHeaders: [PactField], _ actual: PactBody, _ actualHeaders: [PactField]
  ) -> [PactMismatch] {
    switch (expected.content, actual.content) {
    case (.missing, _): return []
    case (.null, .bytes), (.empty, .bytes):
      return [root(.bodyUnexpected, ["actual": Self.shown(actual.bytes, actual.mediaType(headers: actualHeaders))])]
    case (.null, _), (.empty, _): return []
    case (.bytes(let bytes), .bytes(let came)):
      let (type, actualType) = (
        expected.mediaType(headers: expectedHeaders), actual.mediaType(headers: actualHeaders)
      )
      return compare(bytes, type, came, actualType)
    case (.bytes(let bytes), _):
      if rules.rules(at: .root)?.list.rules.contains(.notEmpty) == true {
        return [root(.isEmpty, ["actual": "[] (0 bytes)"])]
      }
      return [root(.bodyMissing, ["expected": Self.shown(bytes, expected.mediaType(headers: expectedHeaders))])]
    }
  }

  /// The differences of the bytes of two bodies.
  func compare(
    _ expected: [UInt8], _ type: MediaType, _ actual: [UInt8], _ actualType: MediaType
  ) -> [PactMismatch] {
    if let fault = contentTypeFault(actual) { return fault.map { [root($0.reason, $0.values)] } ?? [] }
    guard Self.isSame(type, actualType) else {
      let values = ["expected": type.essence, "actual": actualType.essence]
      return [PactMismatch(.bodyContentType, "", .bodyType, values)]
    }
    if type.isSchemaRegistry { return json(Self.withoutSchema(expected), Self.withoutSchema(actual)) }
    if type.isJSON { return json(expected, actual) }
    if type.isXML { return xml(expected, actual) }
    if type.isForm { return form(expected, actual) }
    if type.isMultipart {
      return MultipartMatching(rules, isStrict: isStrict).compare(expected, type, actual, actualType)
    }
    if type.isText, let text = String(validUTF8: expected), let came = String(validUTF8: actual) {
      return plain(text, came)
    }
    return binary(expected, type, actual, actualType)
  }

  func root(_ reason: PactReason, _ values: [String: String]) -> PactMismatch {
    PactMismatch(.body, "$", reason, values)
  }

  /// Types are the same whatever their parameters; JSON and XML whatever family they are of.
  private static func isSame(_ expected: MediaType, _ actual: MediaType) -> Bool {
    expected.essence == actual.essence
      || expected.isXML && actual.isXML
        && [expected.essence, actual.essence].allSatisfy { ["text/xml", "application/xml"].contains($0) }
  }

  // MARK: Families

  private func json(_ expected: [UInt8], _ actual: [UInt8]) -> [PactMismatch] {
    guard let own = PactJSON.body(expected) else { return [unreadable("expected", "JSON")] }
    guard let came = PactJSON.body(actual) else { return [unreadable("actual", "JSON")] }
    return JSONMatching(rules, isStrict: isStrict).compare(own, came)
  }

  private func xml(_ expected: [UInt8], _ actual: [UInt8]) -> [PactMismatch] {
    do throws(XMLError) {
      let own = try XMLDocument.root(of: expected)
      do throws(XMLError) {
        let came = try XMLDocument.root(of: actual)
        return XMLMatching(rules, isStrict: isStrict).compare(own, came)
      } catch { return [unreadable("actual", "XML", error.reason)] }
    } catch { return [unreadable("expected", "XML", error.reason)] }
  }

  private func unreadable(_ side: String, _ format: String, _ why: String = "syntax") -> PactMismatch {
    root(.bodyMalformed, ["side": side, "format": format, "why": why])
  }

  private func form(_ expected: [UInt8], _ actual: [UInt8]) -> [PactMismatch] {
    QueryMatching(rules, .body, isForm: true).compare(
      QueryText.fields(String(decoding: expected, as: UTF8.self)),
      QueryText.fields(String(decoding: actual, as: UTF8.self)), isStrict: isStrict)
  }

  private func plain(_ expected: String, _ actual: String) -> [PactMismatch] {
    if let found = rules.rules(at: .root) {
      let fault = PactValues(takesTexts: true).fault(
        .text(expected), .text(actual), found.list, isCascaded: found.isCascaded)
      return fault.map { [root($0.reason, $0.values)] } ?? []
    }
    guard !expected.utf8.elementsEqual(actual.utf8) else { return [] }
    return [root(.textDiffers, ["expected": expected.limited(400), "actual": actual.limited(400)])]
  }

  private func binary(
    _ expected: [UInt8], _ type: MediaType, _ actual: [UInt8], _ actualType: MediaType
  ) -> [PactMismatch] {
    if let found = rules.rules(at: .root), !found.list.rules.contains(.equality) {
      // Other rules have no meaning for bytes; that there are some is all that they can ask for.
      return []
    }
    guard expected != actual else { return [] }
    let values = ["expected": Self.shown(expected, type), "actual": Self.shown(actual, actualType)]
    return [root(.bytesDiffer, values)]
  }

  /// The verdict of a rule for the type that the bytes show; nil where there is no such rule.
  private func contentTypeFault(_ actual: [UInt8]) -> PactFault?? {
    guard let found = rules.rules(at: .root) else { return nil }
    for case .contentType(let wanted) in found.list.rules {
      let detected = MediaType(sniffing: actual)
      guard let type = MediaType(wanted), type.essence != detected.essence else { return .some(nil) }
      // Text is text, whatever language it is in.
      if type.isText, detected == .text { return .some(nil) }
      return .some(PactFault(.detectedType, ["expected": type.essence, "actual": detected.essence]))
    }
    return nil
  }

  /// The JSON behind the five bytes that name its schema.
  private static func withoutSchema(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count > 5 && bytes[0] == 0 ? Array(bytes.dropFirst(5)) : bytes
  }

  /// A body for people: text as it stands, of bytes the type, their number and the first 32.
  static func shown(_ bytes: [UInt8], _ type: MediaType) -> String {
    if type.isText, let text = String(validUTF8: bytes) { return "'\(text.limited(200))'" }
    return "\(type.essence), \(bytes.count) bytes, starting with \(bytes.prefix(32).hexadecimal)"
  }
}
