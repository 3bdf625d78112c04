/// Replacements for the signs that XML and HTML take for their own, and for those that they cannot hold.
///
/// `&`, `<` and `>` are always written as entities; the rest differs between texts of elements and values of
/// attributes.
package struct MarkupEscaping: Sendable {
  package var doubleQuote = "&quot;"
  package var singleQuote = "'"
  package var tab = "\t"
  package var lineFeed = "\n"
  /// A reader turns one that stands for itself into a line feed (XML 1.0, section 2.11).
  package var carriageReturn = "&#13;"
  /// The character for characters that XML 1.0 (section 2.2) knows no spelling for.
  package var unspellable = "\u{fffd}"

  package init(
    doubleQuote: String = "&quot;", singleQuote: String = "'", tab: String = "\t", lineFeed: String = "\n",
    carriageReturn: String = "&#13;", unspellable: String = "\u{fffd}"
  ) {
    (self.doubleQuote, self.singleQuote) = (doubleQuote, singleQuote)
    (self.tab, self.lineFeed, self.carriageReturn) = (tab, lineFeed, carriageReturn)
    self.unspellable = unspellable
  }

  /// Between tags, where quotes stand for themselves.
  package static let content = MarkupEscaping(doubleQuote: "\"")
  /// Between double quotes, and between tags as well.
  package static let quoted = MarkupEscaping()
  /// Between quotes of either kind, with line ends and tabs as they were (XML 1.0, section 3.3.3, makes them blanks).
  package static let attribute = MarkupEscaping(
    singleQuote: "&apos;", tab: "&#9;", lineFeed: "&#10;", unspellable: "")
  /// In one line of HTML, between quotes of either kind; HTML 4 does not know `&apos;`.
  package static let html = MarkupEscaping(singleQuote: "&#39;", carriageReturn: "\r")
}

extension StringProtocol {
  /// The text as it stands in XML or HTML.
  package func escapedMarkup(_ escaping: MarkupEscaping) -> String {
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += escaping.doubleQuote
      case "'": result += escaping.singleQuote
      case "\t": result += escaping.tab
      case "\n": result += escaping.lineFeed
      case "\r": result += escaping.carriageReturn
      case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": result += escaping.unspellable
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
