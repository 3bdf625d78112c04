/// The names of the members of a JSON object, found without reading their values: what tells formats of JSON apart.
struct TopLevelNames {
  private(set) var names: Set<String> = []
  /// Tells whether anything but white space follows the object.
  private(set) var isFollowed = false

  /// - Parameter bytes: The file; what is no JSON ends the search.
  init(_ bytes: UnsafeRawBufferPointer) {
    var depth = 0
    var place = 0
    var last: Range<Int>?
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        let start = place + 1
        place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        last = start..<min(place, bytes.count)
      case UInt8(ascii: ":"):
        if depth == 1, let name = last {
          names.insert(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[name]), as: UTF8.self))
        }
        last = nil
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 {
          isFollowed = bytes[(place + 1)...].contains { $0 > 0x20 }
          return
        }
      case let byte where depth == 0 && byte > 0x20: return
      default: break
      }
      place += 1
    }
  }
}
