import MPaaSAppServices
import MPaaSSupport

extension Appcast {
  /// The appcast as XML; what was read and not known stands in it, too.
  package var xml: String {
    var text = """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:sparkle="\(Self.namespace)">
        <channel>
          <title>\(title.escapedMarkup(.content))</title>

      """
    text += Self.line("link", link, 4)
    text += Self.line("language", language, 4)
    for item in items { text += item.xml }
    return text + "  </channel>\n</rss>\n"
  }

  fileprivate static func line(
    _ name: String, _ text: String?, _ depth: Int, _ attributes: [(String, String?)] = []
  ) -> String {
    guard let text else { return "" }
    return blanks(depth) + "<\(name)\(list(attributes))>\(text.escapedMarkup(.content))</\(name)>\n"
  }

  fileprivate static func empty(_ name: String, _ depth: Int, _ attributes: [(String, String?)]) -> String {
    blanks(depth) + "<\(name)\(list(attributes)) />\n"
  }

  private static func list(_ attributes: [(String, String?)]) -> String {
    attributes.map { name, value in value.map { " \(name)=\"\($0.escapedMarkup(.attribute))\"" } ?? "" }.joined()
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension AppcastItem {
  fileprivate var xml: String {
    var text = "    <item>\n"
    text += Appcast.line("title", title, 6)
    text += Appcast.line("pubDate", published.map { HTTPDate.text($0).dropLast(3) + "+0000" }, 6)
    text += Appcast.line("link", link, 6)
    text += Appcast.line("sparkle:version", version.text, 6)
    text += Appcast.line("sparkle:shortVersionString", shortVersion, 6)
    text += Appcast.line("sparkle:channel", channel, 6)
    text += Appcast.line("description", notes, 6, [("sparkle:format", notesFormat)])
    text += Appcast.line("sparkle:releaseNotesLink", notesLink, 6)
    text += Appcast.line("sparkle:fullReleaseNotesLink", fullNotesLink, 6)
    text += Appcast.line("sparkle:minimumSystemVersion", minimumSystem, 6)
    text += Appcast.line("sparkle:maximumSystemVersion", maximumSystem, 6)
    text += Appcast.line("sparkle:minimumAutoupdateVersion", minimumAutoupdate?.text, 6)
    text += Appcast.line("sparkle:phasedRolloutInterval", phasedInterval.map(String.init), 6)
    if isCritical { text += Appcast.empty("sparkle:criticalUpdate", 6, [("sparkle:version", criticalBelow?.text)]) }
    if isInformational { text += Appcast.empty("sparkle:informationalUpdate", 6, []) }
    for other in others {
      text += Appcast.line(other.name, other.text, 6, other.attributes.sorted { $0.key < $1.key }.map { ($0, $1) })
    }
    if let file { text += Appcast.empty("enclosure", 6, file.attributes + [("sparkle:os", system)]) }
    return text + deltasXML + "    </item>\n"
  }

  private var deltasXML: String {
    guard !deltas.isEmpty else { return "" }
    let lines = deltas.map { delta in
      Appcast.empty("enclosure", 8, delta.file.attributes + [("sparkle:deltaFrom", delta.from.text)])
    }
    return "      <sparkle:deltas>\n" + lines.joined() + "      </sparkle:deltas>\n"
  }
}

extension AppcastFile {
  fileprivate var attributes: [(String, String?)] {
    [
      ("url", url), ("length", length.map(String.init)), ("type", type ?? "application/octet-stream"),
      ("sparkle:edSignature", edSignature),
    ]
  }
}
