/// The parts of a form of RFC 7578.
enum MultipartBody {
  /// The most parts of a body.
  static let mostParts = 1_000

  struct Part {
    let name: String
    let fileName: String?
    let type: MediaTypeName?
    let body: ArraySlice<UInt8>
  }

  /// The parts with a name; nil where the boundaries are not as they must be.
  static func parts(_ body: [UInt8], boundary: String) -> [Part]? {
    let marker = Array("--".utf8) + Array(boundary.utf8)
    guard !boundary.isEmpty, boundary.utf8.count <= 200, var start = find(marker, in: body[...]) else { return nil }
    var parts: [Part] = []
    while true {
      var rest = body[(start + marker.count)...]
      if rest.starts(with: "--".utf8) { return parts }
      guard parts.count < mostParts, let line = rest.firstIndex(of: 0x0a) else { return nil }
      rest = rest[(line + 1)...]
      guard let end = find([0x0d, 0x0a] + marker, in: rest) ?? find([0x0a] + marker, in: rest) else { return nil }
      if let part = part(rest[..<end]) { parts.append(part) }
      guard let next = find(marker, in: body[end...]) else { return nil }
      start = next
    }
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    var rest = bytes
    var name: String?
    var fileName: String?
    var type: MediaTypeName?
    while let line = rest.firstIndex(of: 0x0a) {
      var text = rest[..<line]
      rest = rest[(line + 1)...]
      if text.last == 0x0d { text = text.dropLast() }
      if text.isEmpty { break }
      let header = String(decoding: text, as: UTF8.self)
      guard let colon = header.firstIndex(of: ":") else { continue }
      let value = MediaTypeName.trimmed(header[colon...].dropFirst())
      switch header[..<colon].lowercased() {
      case "content-disposition":
        // The grammar of parameters is that of media types.
        let disposition = MediaTypeName("x/" + value)
        name = disposition?["name"]
        fileName = disposition?["filename"]
      case "content-type": type = MediaTypeName(value)
      default: break
      }
    }
    return name.map { Part(name: $0, fileName: fileName, type: type, body: rest) }
  }

  private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = needle.first, bytes.count >= needle.count else { return nil }
    var place = bytes.startIndex
    let last = bytes.endIndex - needle.count
    while place <= last, let found = bytes[place...last].firstIndex(of: first) {
      if bytes[found..<found + needle.count].elementsEqual(needle) { return found }
      place = found + 1
    }
    return nil
  }
}
