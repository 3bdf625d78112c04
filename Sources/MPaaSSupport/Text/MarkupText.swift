extension StringProtocol {
  /// The text as XML and HTML have it in attributes and between tags.
  ///
  /// Characters that XML 1.0 (section 2.2) knows no spelling for are left out.
  package var escapedMarkup: String {
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\n", "\r", "\t": result += "&#\(scalar.value);"
      case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
