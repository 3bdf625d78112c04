/// A record of a monitor point as a line of text: `TIME,EVENT,NAME=VALUE,…`.
///
/// A comma, an equals sign, a backslash or the end of a line in a text has a backslash before it (`\n`, `\r` for ends of
/// lines). In its file a line begins with the digit of its state, 0 for what is to be uploaded, 1 for what was.
package struct MonitorLine: Sendable, Hashable {
  package var time: String
  package var event: String
  package var fields: [Field]

  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(time: String, event: String, fields: [Field] = []) {
    self.time = time
    self.event = event
    self.fields = fields
  }

  /// Bytes that a line has at most; what is longer loses its end.
  package static let longest = 32 << 10

  package var text: String {
    var text = Self.escaped(time) + "," + Self.escaped(event)
    for field in fields { text += "," + Self.escaped(field.name) + "=" + Self.escaped(field.value) }
    guard text.utf8.count > Self.longest else { return text }
    var kept = Substring(text)
    while kept.utf8.count > Self.longest - 3 { kept = kept.dropLast(max(1, (kept.utf8.count - Self.longest) / 4)) }
    // A backslash at the end would have escaped what is gone.
    while kept.last == "\\" { kept = kept.dropLast() }
    return kept + "…"
  }

  /// Reads a line without its leading digit; nil where it has no event.
  package init?(_ text: String) {
    var parts: [(name: String, value: String?)] = []
    var name = ""
    var value: String?
    var isEscaped = false
    func add(_ scalar: Unicode.Scalar) {
      if value == nil { name.unicodeScalars.append(scalar) } else { value?.unicodeScalars.append(scalar) }
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        add(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case ",":
        parts.append((name, value))
        (name, value) = ("", nil)
      case "=" where value == nil && parts.count >= 2: value = ""
      default: add(scalar)
      }
    }
    parts.append((name, value))
    guard parts.count >= 2 else { return nil }
    self.init(
      time: parts[0].name, event: parts[1].name, fields: parts.dropFirst(2).map { Field($0.name, $0.value ?? "") })
  }

  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x0a, 0x0d, 0x2c, 0x3d, 0x5c].contains($0) }) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case ",", "=", "\\":
        escaped += "\\"
        escaped.unicodeScalars.append(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
