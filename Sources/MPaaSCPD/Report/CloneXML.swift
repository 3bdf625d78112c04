import MPaaSSupport

/// The report of PMD's copy-paste detector, for what reads that.
///
/// - Source: https://pmd.github.io/schema/cpd-report_1_0_0.xsd; the order is files, duplications, errors.
package struct CloneXML {
  private let report: CloneReport
  private let texts: CloneTexts
  private let version: String
  private let timestamp: String

  /// - Parameter timestamp: In the form of RFC 3339.
  package init(_ report: CloneReport, _ texts: CloneTexts, version: String, timestamp: String) {
    (self.report, self.texts, self.version, self.timestamp) = (report, texts, version, timestamp)
  }

  package func write(_ put: (String) -> Void) {
    put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <pmd-cpd xmlns="https://pmd-code.org/schema/cpd-report"
               xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
               pmdVersion="\(attribute("mpaas " + version))"
               timestamp="\(timestamp)"
               version="1.0.0"
               xsi:schemaLocation="https://pmd-code.org/schema/cpd-report https://pmd.github.io/schema/cpd-report_1_0_0.xsd">

      """)
    var start = 0
    var starts: [Int] = []
    for source in report.sources {
      put("   <file path=\"\(attribute(source.path))\" totalNumberOfTokens=\"\(source.tokens)\"/>\n")
      starts.append(start)
      start += source.length
    }
    for found in report.clones { write(found, starts, put) }
    for unread in report.unread {
      put(
        "   <error filename=\"\(attribute(unread.path))\" msg=\"\(attribute(unread.reason))\">"
          + unread.reason.escapedMarkup(.content) + "</error>\n")
    }
    put("</pmd-cpd>\n")
  }

  private func write(_ found: FoundClone, _ starts: [Int], _ put: (String) -> Void) {
    put("   <duplication lines=\"\(max(found.lines, 1))\" tokens=\"\(max(found.clone.tokens, 1))\">\n")
    for (place, span) in zip(found.clone.places, found.spans) {
      var (column, endColumn) = (1, 1)
      if let range = texts.range(place), let source = texts.tokens(place.source) {
        (column, endColumn) = (source.column(range.lowerBound), source.column(range.upperBound))
      }
      let first = starts[place.source] + place.tokens.lowerBound
      put(
        """
              <file begintoken="\(first)" column="\(column)" endcolumn="\(endColumn)" endline="\(span.end)" \
        endtoken="\(first + place.tokens.count - 1)" line="\(span.start)" \
        path="\(attribute(report.sources[place.source].path))"/>

        """)
    }
    put("      <codefragment>\(Self.section(texts.lines(found.spans[0]).joined(separator: "\n")))</codefragment>\n")
    put("   </duplication>\n")
  }

  private func attribute(_ text: String) -> String { text.escapedMarkup(.attribute) }

  /// Text as it stands, without the characters that XML knows no spelling for.
  private static func section(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: scalars.append(scalar)
      default: scalars.append("\u{fffd}")
      }
    }
    return "<![CDATA[" + String(scalars).replacing("]]>", with: "]]]]><![CDATA[>") + "]]>"
  }
}
