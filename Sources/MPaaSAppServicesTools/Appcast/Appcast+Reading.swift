import MPaaSAppServices
import MPaaSSupport
import MPaaSXML

extension Appcast {
  /// Reads an appcast.
  ///
  /// Items that no client could use are left out, and `findings` says why: without a version or a file, with the name of
  /// a channel that is none, or a difference in the place of the file.
  ///
  /// - Parameter file: The file's name in errors.
  /// - Throws: `AppcastError` `appcast-malformed` with line and column where it is no XML, or has no channel.
  package init(reading bytes: [UInt8], file: String) throws(AppcastError) {
    let root: XMLElement
    do throws(XMLError) {
      root = try XMLDocument.root(of: bytes)
    } catch {
      throw Self.malformed(error.reason, error.mark, file)
    }
    var reader = AppcastReader()
    reader.learnPrefixes(root)
    guard root.name == "rss", let channel = root.elements.first(where: { $0.name == "channel" }) else {
      throw Self.malformed("rss/channel", root.mark, file)
    }
    self.init(title: channel.child("title")?.text ?? "")
    link = channel.child("link")?.text
    language = channel.child("language")?.text
    for element in channel.elements where element.name == "item" {
      do throws(AppcastItemProblem) {
        items.append(try reader.item(element))
      } catch {
        findings.append("\(file):\(element.mark.line): \(error.reason)")
      }
    }
  }

  private static func malformed(_ reason: String, _ mark: XMLMark, _ file: String) -> AppcastError {
    AppcastError(.appcastMalformed, ["reason": reason], at: .text(file: file, line: mark.line, column: mark.column))
  }
}

/// The reason why an item is left out.
private struct AppcastItemProblem: Error {
  let reason: String
}

/// Reads items; prefixes of the namespace are those that the root declares.
private struct AppcastReader {
  private var prefixes: Set<String> = ["sparkle"]

  mutating func learnPrefixes(_ root: XMLElement) {
    let declared = root.attributes.filter { $0.name.hasPrefix("xmlns:") }
    let ours = declared.filter { $0.value == Appcast.namespace }.map { String($0.name.dropFirst(6)) }
    prefixes = Set(ours.isEmpty ? ["sparkle"] : ours)
  }

  /// The name with `sparkle:` for any prefix of the namespace.
  private func known(_ name: String) -> String {
    guard let colon = name.firstIndex(of: ":"), prefixes.contains(String(name[..<colon])) else { return name }
    return "sparkle:" + name[name.index(after: colon)...]
  }

  private func attribute(_ name: String, of element: XMLElement) -> String? {
    element.attributes.first { known($0.name) == name }?.value
  }

  func item(_ element: XMLElement) throws(AppcastItemProblem) -> AppcastItem {
    let children = element.elements.map { (name: known($0.name), element: $0) }
    func child(_ name: String) -> XMLElement? { children.first { $0.name == name }?.element }
    let enclosure = child("enclosure")
    let named = child("sparkle:version")?.text ?? enclosure.flatMap { attribute("sparkle:version", of: $0) }
    guard let version = named.flatMap(AppVersion.init) else { throw AppcastItemProblem(reason: "sparkle:version") }
    var item = AppcastItem(version: version)
    readTexts(&item, child)
    readRules(&item, child)
    if let enclosure {
      guard attribute("sparkle:deltaFrom", of: enclosure) == nil else {
        throw AppcastItemProblem(reason: "enclosure sparkle:deltaFrom")
      }
      item.file = file(enclosure)
      item.system = attribute("sparkle:os", of: enclosure)
      item.shortVersion = item.shortVersion ?? attribute("sparkle:shortVersionString", of: enclosure)
    }
    guard item.file != nil || item.isInformational else { throw AppcastItemProblem(reason: "enclosure") }
    if let channel = child("sparkle:channel")?.text {
      guard UpdateFeed.isName(channel) else { throw AppcastItemProblem(reason: "sparkle:channel") }
      item.channel = channel
    }
    item.deltas = deltas(child("sparkle:deltas"))
    item.others = children.filter { !Self.read.contains($0.name) }.map { name, element in
      AppcastItem.Element(
        name: name, attributes: Dictionary(element.attributes.map { (known($0.name), $0.value) }) { $1 },
        text: element.text ?? "")
    }
    return item
  }

  private static let read: Set<String> = [
    "title", "description", "pubDate", "link", "enclosure", "sparkle:version", "sparkle:shortVersionString",
    "sparkle:releaseNotesLink", "sparkle:fullReleaseNotesLink", "sparkle:channel", "sparkle:minimumSystemVersion",
    "sparkle:maximumSystemVersion", "sparkle:minimumAutoupdateVersion", "sparkle:criticalUpdate",
    "sparkle:informationalUpdate", "sparkle:phasedRolloutInterval", "sparkle:deltas", "sparkle:tags",
  ]

  private func readTexts(_ item: inout AppcastItem, _ child: (String) -> XMLElement?) {
    item.title = child("title")?.text
    item.shortVersion = child("sparkle:shortVersionString")?.text
    item.published = child("pubDate")?.text.flatMap(Self.seconds)
    let notes = child("description")
    item.notes = notes?.text
    item.notesFormat = notes.flatMap { attribute("sparkle:format", of: $0) }
    item.notesLink = Self.webAddress(child("sparkle:releaseNotesLink")?.text)
    item.fullNotesLink = Self.webAddress(child("sparkle:fullReleaseNotesLink")?.text)
    item.link = Self.webAddress(child("link")?.text)
  }

  private func readRules(_ item: inout AppcastItem, _ child: (String) -> XMLElement?) {
    item.minimumSystem = child("sparkle:minimumSystemVersion")?.text
    item.maximumSystem = child("sparkle:maximumSystemVersion")?.text
    item.minimumAutoupdate = child("sparkle:minimumAutoupdateVersion")?.text.flatMap(AppVersion.init)
    item.phasedInterval = child("sparkle:phasedRolloutInterval")?.text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    item.isInformational = child("sparkle:informationalUpdate") != nil
    let tags = child("sparkle:tags")?.elements.contains { known($0.name) == "sparkle:criticalUpdate" } == true
    let critical = child("sparkle:criticalUpdate")
    item.isCritical = tags || critical != nil
    item.criticalBelow = critical.flatMap { attribute("sparkle:version", of: $0) }.flatMap(AppVersion.init)
  }

  private func deltas(_ element: XMLElement?) -> [AppcastItem.Delta] {
    (element?.elements ?? []).compactMap { enclosure in
      guard known(enclosure.name) == "enclosure", let file = file(enclosure),
        let from = attribute("sparkle:deltaFrom", of: enclosure).flatMap(AppVersion.init)
      else { return nil }
      return AppcastItem.Delta(from: from, file: file)
    }
  }

  /// The file of an enclosure; nil without an address of the web.
  private func file(_ enclosure: XMLElement) -> AppcastFile? {
    guard let url = Self.webAddress(enclosure["url"]) else { return nil }
    var file = AppcastFile(url: url)
    file.length = enclosure["length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    file.type = enclosure["type"]
    file.edSignature = attribute("sparkle:edSignature", of: enclosure)
    return file
  }

  /// Addresses that lead to files of the device are none.
  private static func webAddress(_ text: String?) -> String? {
    text.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
  }

  /// A moment of RFC 822, whose zone is `GMT` or an offset such as `+0800`.
  private static func seconds(_ text: String) -> Double? {
    guard let local = HTTPDate.seconds(text), let zone = text.split(separator: " ").last else { return nil }
    guard let sign = zone.first, sign == "+" || sign == "-", zone.utf8.count == 5, let offset = Int(zone.dropFirst())
    else { return local }
    let seconds = Double(offset / 100 * 3600 + offset % 100 * 60)
    return sign == "+" ? local - seconds : local + seconds
  }
}

extension XMLElement {
  fileprivate func child(_ name: String) -> XMLElement? { elements.first { $0.name == name } }

  /// All text of the element without blanks around it; nil for none.
  fileprivate var text: String? {
    var bytes: [UInt8] = []
    for case .text(let text) in children { bytes += text.bytes }
    let blanks: (UInt8) -> Bool = { $0 <= 0x20 }
    let start = bytes.firstIndex { !blanks($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !blanks($0) }.map { $0 + 1 } ?? start
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
  }
}
