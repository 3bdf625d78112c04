import MPaaSJSON
import MPaaSSupport

extension TemplateHelpers {
  /// Helpers that change texts.
  static let texts: [String: Helper] = [
    "trim": { arguments, run in .text(trimmed(arguments.subject(&run).text)) },
    "lower": { arguments, run in .text(arguments.subject(&run).text.lowercased()) },
    "upper": { arguments, run in .text(arguments.subject(&run).text.uppercased()) },
    "capitalizeFirst": { arguments, _ in
      .text(arguments[0].text.prefix(1).uppercased() + arguments[0].text.dropFirst())
    },
    "capitalize": { arguments, _ in
      let words = arguments[0].text.split(separator: " ", omittingEmptySubsequences: false)
      return .text(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " "))
    },
    "replace": { arguments, _ in
      .text(replacing(arguments[0].text, arguments[1].text, arguments[2].text))
    },
    "cut": { arguments, _ in .text(replacing(arguments[0].text, arguments[1].text, "")) },
    "substring": { arguments, _ in
      let text = arguments[0].text
      let start = min(max(arguments[1].whole ?? 0, 0), text.count)
      let end = min(max(arguments[2].whole ?? text.count, start), text.count)
      return .text(String(text.dropFirst(start).prefix(end - start)))
    },
    "defaultIfEmpty": { arguments, _ in arguments[0].isTrue ? arguments[0] : arguments[1] },
    "abbreviate": { arguments, _ in
      let (text, length) = (arguments[0].text, max(arguments[1].whole ?? 80, 4))
      return .text(text.count <= length ? text : String(text.prefix(length - 3)) + "...")
    },
    "ljust": { arguments, _ in .text(justified(arguments, isLeft: true)) },
    "rjust": { arguments, _ in .text(justified(arguments, isLeft: false)) },
    "yesno": { arguments, _ in
      .text(arguments[0].isTrue ? arguments.text("yes") ?? "yes" : arguments.text("no") ?? "no")
    },
    "join": { arguments, _ in
      let items = arguments[0].elements ?? Array(arguments.values.dropLast())
      let separator = arguments[0].elements == nil ? arguments.values.last?.text ?? "" : arguments[1].text
      return .text(items.map(\.text).joined(separator: separator))
    },
    "urlEncode": { arguments, run in
      let text = arguments.subject(&run).text
      if arguments.flag("decode") {
        return .text(PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }))
      }
      return .text(formEncoded(text))
    },
    "base64": { arguments, run in
      let text = arguments.subject(&run).text
      if arguments.flag("decode") {
        guard let bytes = Base64.decode(loose: Array(text.utf8)) else { return error("the text is no Base64") }
        return .text(String(decoding: bytes, as: UTF8.self))
      }
      let isPadded = arguments.options["padding"]?.isTrue ?? true
      return .text(Base64.encode(Array(text.utf8), isPadded: isPadded))
    },
    "formData": { arguments, run in formData(arguments, &run) },
    "regexExtract": { arguments, run in regexExtract(arguments, &run) },
  ]

  static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private static func justified(_ arguments: TemplateArguments, isLeft: Bool) -> String {
    let (text, size) = (arguments[0].text, min(arguments.whole("size") ?? arguments[1].whole ?? 0, 100_000))
    let pad = arguments.text("pad")?.first ?? " "
    let fill = String(repeating: pad, count: max(0, size - text.count))
    return isLeft ? text + fill : fill + text
  }

  private static func replacing(_ text: String, _ part: String, _ other: String) -> String {
    guard !part.isEmpty else { return text }
    let (bytes, part) = (Array(text.utf8), Array(part.utf8))
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place...].starts(with: part) {
        result += other.utf8
        place += part.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// As forms are encoded: a blank is a plus.
  private static func formEncoded(_ text: String) -> String {
    let encoded = PercentEncoding.encode(text.utf8) {
      PercentEncoding.isAlphanumeric($0) || "-._* ".utf8.contains($0)
    }
    return String(encoded.map { $0 == " " ? "+" : $0 })
  }

  private static func formData(_ arguments: TemplateArguments, _ run: inout TemplateRun) -> TemplateValue {
    let isDecoded = arguments.flag("urlDecode")
    var values: [(name: String, value: TemplateValue)] = []
    for pair in arguments[0].text.split(separator: "&").prefix(10_000) {
      let raw = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let found = isDecoded ? FormText.pairs(pair).first : (String(raw[0]), raw.count > 1 ? String(raw[1]) : "")
      guard let found else { continue }
      if let index = values.firstIndex(where: { $0.name == found.0 }), case .values(let known) = values[index].value {
        values[index].value = .values(known + [found.1])
      } else {
        values.append((found.0, .values([found.1])))
      }
    }
    run.assigned[arguments[1].text] = .members(values, ignoresCase: false)
    return .nothing
  }

  private static func regexExtract(_ arguments: TemplateArguments, _ run: inout TemplateRun) -> TemplateValue {
    guard let pattern = try? JavaPattern(arguments[1].text, matchesLineEnds: false) else {
      return error("\(arguments[1].text) is no regular expression")
    }
    guard let groups = pattern.firstMatch(in: arguments[0].text) else {
      return arguments.options["default"] ?? error("Nothing matched \(arguments[1].text)")
    }
    guard case .text(let name) = arguments[2] else { return .text(groups[0] ?? "") }
    run.assigned[name] = .list(groups.dropFirst().map { $0.map { .text($0) } ?? .nothing })
    return .nothing
  }
}
