import MPaaSSupport

/// The JSON of asset catalogues, laid out as Xcode writes it.
enum AssetJSON {
  /// A `Contents.json` with lists of items that are written already.
  static func contents(_ lists: [(String, [String])], providesNamespace: Bool = false) -> String {
    var parts = lists.map { name, items in
      "  \"\(name)\" : [\n" + items.joined(separator: ",\n") + "\n  ]"
    }
    parts.append("  \"info\" : {\n    \"author\" : \"xcode\",\n    \"version\" : 1\n  }")
    if providesNamespace { parts.append("  \"properties\" : {\n    \"provides-namespace\" : true\n  }") }
    return "{\n" + parts.joined(separator: ",\n") + "\n}\n"
  }

  static func color(_ color: ThemeColor, idiom: String, isDark: Bool) -> String {
    let thousandths = (Int(color.alpha) * 1000 + 127) / 255
    let alpha = "\(thousandths / 1000)." + (thousandths % 1000).padded(to: 3)
    func part(_ name: String, _ value: UInt8) -> String {
      "          \"\(name)\" : \"0x\(value.padded(to: 2, radix: 16, uppercase: true))\""
    }
    let components = [
      "          \"alpha\" : \"\(alpha)\"", part("blue", color.blue), part("green", color.green),
      part("red", color.red),
    ]
    var lines = ["    {"]
    if isDark {
      lines += [
        "      \"appearances\" : [", "        {", "          \"appearance\" : \"luminosity\",",
        "          \"value\" : \"dark\"", "        }", "      ],",
      ]
    }
    lines += ["      \"color\" : {", "        \"color-space\" : \"srgb\",", "        \"components\" : {"]
    lines += [components.joined(separator: ",\n"), "        }", "      },", "      \"idiom\" : \"\(idiom)\"", "    }"]
    return lines.joined(separator: "\n")
  }

  static func image(_ name: String, idiom: String, scale: Int) -> String {
    // An image without scales, as a PDF, fits all.
    let isVector = name.hasSuffix(".pdf") || name.hasSuffix(".svg")
    var lines = ["      \"filename\" : \(string(name))", "      \"idiom\" : \"\(idiom)\""]
    if !isVector { lines.append("      \"scale\" : \"\(scale)x\"") }
    return "    {\n" + lines.joined(separator: ",\n") + "\n    }"
  }

  private static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20: result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
