/// Android's compiled files, as far as samples need them.
///
/// Source: AOSP, `ResourceTypes.h`.
package enum SampleAndroid {
  package struct Attribute {
    package enum Value {
      case text(String)
      case integer(Int32)
      case reference(UInt32)
    }

    let name: String
    let resource: UInt32?
    let value: Value

    package init(_ name: String, _ resource: UInt32?, _ value: Value) {
      (self.name, self.resource, self.value) = (name, resource, value)
    }
  }

  package struct Element {
    let name: String
    let attributes: [Attribute]
    let children: [Element]

    package init(_ name: String, _ attributes: [Attribute], _ children: [Element] = []) {
      (self.name, self.attributes, self.children) = (name, attributes, children)
    }

    fileprivate var all: [Element] { [self] + children.flatMap(\.all) }
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] { SampleBuild.little(value, size) }

  private static func chunk(_ type: Int, header: [UInt8], _ body: [UInt8]) -> [UInt8] {
    let size = 8 + header.count
    return little(type, 2) + little(size, 2) + little(size + body.count, 4) + header + body
  }

  /// A pool of strings, in UTF-16 or UTF-8.
  static func pool(_ strings: [String], isWide: Bool) -> [UInt8] {
    var (offsets, content) = ([UInt8](), [UInt8]())
    for string in strings {
      offsets += little(content.count, 4)
      if isWide {
        content += little(string.utf16.count, 2) + string.utf16.flatMap { little(Int($0), 2) } + [0, 0]
      } else {
        let bytes = Array(string.utf8)
        func length(_ count: Int) -> [UInt8] {
          count < 0x80 ? [UInt8(count)] : [0x80 | UInt8(count >> 8), UInt8(count & 0xff)]
        }
        content += length(string.utf16.count) + length(bytes.count) + bytes + [0]
      }
    }
    while content.count % 4 != 0 { content.append(0) }
    let header =
      little(strings.count, 4) + little(0, 4) + little(isWide ? 0 : 0x100, 4) + little(28 + offsets.count, 4)
      + little(0, 4)
    return chunk(1, header: header, offsets + content)
  }

  /// The compiled form of an element.
  package static func xml(_ root: Element, isWide: Bool) -> [UInt8] {
    let attributes = root.all.flatMap(\.attributes)
    // Names with numbers come first, as the table of numbers goes by their places.
    var strings: [String] = []
    var numbers: [UInt32] = []
    for attribute in attributes {
      guard let number = attribute.resource, !numbers.contains(number) else { continue }
      // As tools do that take names out.
      strings.append("")
      numbers.append(number)
    }
    func place(_ text: String) -> Int {
      if let known = strings[numbers.count...].firstIndex(of: text) { return known }
      strings.append(text)
      return strings.count - 1
    }
    func start(_ element: Element) -> [UInt8] {
      var body = little(0xffff_ffff, 4) + little(place(element.name), 4)
      body += little(20, 2) + little(20, 2) + little(element.attributes.count, 2) + little(0, 6)
      for attribute in element.attributes {
        let name = attribute.resource.flatMap { numbers.firstIndex(of: $0) } ?? place(attribute.name)
        body += little(0xffff_ffff, 4) + little(name, 4)
        switch attribute.value {
        case .text(let text):
          let index = place(text)
          body += little(index, 4) + little(8, 2) + [0, 3] + little(index, 4)
        case .integer(let number):
          body += little(0xffff_ffff, 4) + little(8, 2) + [0, 0x10] + little(Int(number), 4)
        case .reference(let number):
          body += little(0xffff_ffff, 4) + little(8, 2) + [0, 1] + little(Int(number), 4)
        }
      }
      let node = little(1, 4) + little(0xffff_ffff, 4)
      let end = little(0xffff_ffff, 4) + little(place(element.name), 4)
      return chunk(0x0102, header: node, body) + element.children.flatMap(start) + chunk(0x0103, header: node, end)
    }
    let elements = start(root)
    let map = chunk(0x0180, header: [], numbers.flatMap { little(Int($0), 4) })
    return chunk(3, header: [], pool(strings, isWide: isWide) + map + elements)
  }

  /// A table with one string, in German first, then in the usual language.
  static func table(_ id: UInt32, _ text: String, german: String, isWide: Bool) -> [UInt8] {
    let (type, entry) = (Int(id >> 16 & 0xff), Int(id & 0xffff))
    func values(_ index: Int, language: String) -> [UInt8] {
      let configuration = little(28, 4) + little(0, 4) + Array(language.utf8) + little(0, 20 - language.utf8.count)
      let offsets = (0...entry).flatMap { little($0 == entry ? 0 : 0xffff_ffff, 4) }
      let header = [UInt8(type), 0] + little(0, 2) + little(entry + 1, 4)
      let value = little(8, 2) + little(0, 2) + little(0, 4) + little(8, 2) + [0, 3] + little(index, 4)
      let start = 8 + header.count + 4 + configuration.count + offsets.count
      return chunk(0x0201, header: header + little(start, 4) + configuration, offsets + value)
    }
    let name = Array("com.example.shop".utf16).flatMap { little(Int($0), 2) }
    let head = little(Int(id >> 24), 4) + name + little(0, 256 - name.count) + little(0, 20)
    let package = chunk(
      0x0200, header: head,
      pool(["attr", "string"], isWide: isWide) + pool(["app_name"], isWide: isWide) + values(0, language: "de")
        + values(1, language: ""))
    return chunk(2, header: little(1, 4), pool([german, text], isWide: isWide) + package)
  }
}
