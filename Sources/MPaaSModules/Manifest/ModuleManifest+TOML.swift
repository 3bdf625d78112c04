import MPaaSSupport

extension ModuleManifest {
  /// The text of a `module.toml` that says this.
  ///
  /// The order is that of the documentation, so the same manifest gives the same bytes.
  package var toml: String {
    var module: [(String, JSONValue?)] = [("name", .string(name)), ("version", .string(version.text))]
    module.append(("summary", summary.value))
    module.append(("license", license.map { .string($0) }))
    module.append(("homepage", homepage.map { .string($0) }))
    var text = Self.table("module", module)
    let parts = parts
    let sorted = ["platforms", "notes", "dependencies", "conflicts"].map { name in
      Self.table(name, (parts[name]?.object ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
    text += sorted.joined()
    text += Self.table("contents", ModuleContents.lists.map { ($0.key, parts["contents"]?.object?[$0.key]) })
    text += Self.table("link", LinkSettings.lists.map { ($0.key, parts["link"]?.object?[$0.key]) })
    return text
  }

  /// A table with its header; nothing where it has no members.
  private static func table(_ name: String, _ members: [(String, JSONValue?)]) -> String {
    let lines = members.compactMap { member in member.1.map { "\(key(member.0)) = \(value($0))\n" } }
    guard !lines.isEmpty else { return "" }
    return (name == "module" ? "" : "\n") + "[\(name)]\n" + lines.joined()
  }

  /// A bare key where it can be one (TOML 1.0, "Keys").
  private static func key(_ key: String) -> String {
    let isBare = key.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
    return isBare && !key.isEmpty ? key : value(.string(key))
  }

  /// A value of a manifest: texts, booleans, lists and tables on one line.
  private static func value(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): return text.contains("\n") ? paragraph(text) : "\"" + escaped(text) + "\""
    case .array(let elements):
      let values = elements.map { self.value($0) }
      // One a line where a line would be long.
      let isLong = values.reduce(0) { $0 + $1.utf8.count + 2 } > 100
      return isLong ? "[\n" + values.map { "  \($0),\n" }.joined() + "]" : "[" + values.joined(separator: ", ") + "]"
    case .object(let members):
      let texts = members.sorted { $0.key < $1.key }.map { "\(key($0.key)) = \(inline($0.value))" }
      return "{ " + texts.joined(separator: ", ") + " }"
    default: return value.line
    }
  }

  /// The same without line breaks, which inline tables may not have outside of texts.
  private static func inline(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): "\"" + escaped(text) + "\""
    case .array(let elements): "[" + elements.map { inline($0) }.joined(separator: ", ") + "]"
    default: self.value(value)
    }
  }

  /// A text of several lines; the line break behind the opening marks is none of it (TOML 1.0, "String").
  private static func paragraph(_ text: String) -> String {
    "\"\"\"\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .joined(separator: "\n") + "\"\"\""
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7f {
          result += "\\u" + scalar.value.padded(to: 4, radix: 16)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
