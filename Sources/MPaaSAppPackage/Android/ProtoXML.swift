package import MPaaSSupport

/// Reads the XML of an Android App Bundle, which aapt2 writes as protocol buffers.
///
/// Source: AOSP, `Resources.proto`: `XmlNode`, `XmlElement`, `XmlAttribute`; protobuf's wire format.
package enum ProtoXML {
  /// - Throws: `AndroidXMLError` where the bytes are no such message.
  package static func root(_ bytes: Bytes) throws(AndroidXMLError) -> AndroidElement {
    var count = 0
    guard let found = try node(bytes.buffer, depth: 0, &count) else {
      throw AndroidXMLError(reason: "XmlNode", offset: 0)
    }
    return found
  }

  private static func node(
    _ bytes: UnsafeRawBufferPointer, depth: Int, _ count: inout Int
  ) throws(AndroidXMLError) -> AndroidElement? {
    for field in try fields(bytes) where field.number == 1 {
      if let content = field.content { return try element(content, depth: depth, &count) }
    }
    return nil
  }

  private static func element(
    _ bytes: UnsafeRawBufferPointer, depth: Int, _ count: inout Int
  ) throws(AndroidXMLError) -> AndroidElement {
    count += 1
    guard depth < AndroidElement.deepest, count <= AndroidElement.most else {
      throw AndroidXMLError(reason: "XmlElement", offset: 0)
    }
    var name = ""
    var attributes: [String: String] = [:]
    var children: [AndroidElement] = []
    for field in try fields(bytes) {
      guard let content = field.content else { continue }
      switch field.number {
      case 3: name = String(utf8: content)
      case 4:
        var key = ""
        var value = ""
        for part in try fields(content) {
          guard let text = part.content else { continue }
          if part.number == 2 { key = String(utf8: text) }
          if part.number == 3 { value = String(utf8: text) }
        }
        attributes[key] = value
      case 5: if let child = try node(content, depth: depth + 1, &count) { children.append(child) }
      default: break
      }
    }
    return AndroidElement(name: name, attributes: attributes, children: children)
  }

  private struct Field {
    let number: UInt64
    /// The bytes of a field that has a length.
    let content: UnsafeRawBufferPointer?
  }

  private static func fields(_ bytes: UnsafeRawBufferPointer) throws(AndroidXMLError) -> [Field] {
    var cursor = ByteCursor(bytes)
    var fields: [Field] = []
    do throws(ByteError) {
      while !cursor.isAtEnd {
        let tag = try cursor.uleb()
        var content: UnsafeRawBufferPointer?
        switch tag & 7 {
        case 0: _ = try cursor.uleb()
        case 1: try cursor.skip(8)
        case 2:
          let length = try cursor.uleb()
          guard length <= UInt64(cursor.remaining) else {
            throw ByteError(code: .truncated, offset: cursor.offset)
          }
          content = try cursor.bytes(Int(length))
        case 5: try cursor.skip(4)
        default: throw ByteError(code: .unsupportedSize, offset: cursor.offset)
        }
        fields.append(Field(number: tag >> 3, content: content))
      }
    } catch {
      throw AndroidXMLError(reason: "field", offset: error.offset)
    }
    return fields
  }
}
