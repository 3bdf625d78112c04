/// A file that is sent along with a call.
public struct CallFile: Sendable, Hashable {
  /// The name that the server is told.
  public var name: String
  /// Its media type: `image/jpeg`.
  public var type: String
  /// The content of the file.
  public var bytes: [UInt8]

  /// Makes a file from its content.
  ///
  /// - Parameters:
  ///   - name: The name that the server gets the file by.
  ///   - type: The media type; `application/octet-stream` unless given.
  ///   - bytes: The content of the file.
  public init(name: String, type: String = "application/octet-stream", bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }

  /// Makes a file of the media type `image/jpeg`; the bytes are not checked.
  public static func jpeg(_ bytes: [UInt8], name: String = "image.jpg") -> CallFile {
    CallFile(name: name, type: "image/jpeg", bytes: bytes)
  }

  /// Makes a file of the media type `image/png`; the bytes are not checked.
  public static func png(_ bytes: [UInt8], name: String = "image.png") -> CallFile {
    CallFile(name: name, type: "image/png", bytes: bytes)
  }
}

/// A body of fields and files (RFC 7578).
struct MultipartForm {
  let boundary: String
  let body: [UInt8]

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  init(_ request: CallRequest) {
    var parts: [(head: String, content: [UInt8])] = []
    if let document = request.document {
      parts.append((Self.head("json", "Content-Type: application/json\r\n"), document))
    }
    for field in request.fields { parts.append((Self.head(field.name), Array(field.value.utf8))) }
    for (name, file) in request.files {
      let type = "Content-Type: \(file.type.filter { !$0.isNewline })\r\n"
      parts.append((Self.head(name, type, file: file.name), file.bytes))
    }
    boundary = Self.boundary(parts.map(\.content))
    body =
      parts.reduce(into: []) { [boundary] body, part in
        body += Array("--\(boundary)\r\n\(part.head)\r\n".utf8) + part.content + Array("\r\n".utf8)
      } + Array("--\(boundary)--\r\n".utf8)
  }

  private static func head(_ name: String, _ type: String = "", file: String? = nil) -> String {
    let file = file.map { "; filename=\"\(quoted($0))\"" } ?? ""
    return "Content-Disposition: form-data; name=\"\(quoted(name))\"\(file)\r\n\(type)"
  }

  /// As browsers write names: quotation marks and line ends percent-encoded.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// A line that begins no line of the contents.
  private static func boundary(_ contents: [[UInt8]]) -> String {
    var number = 0
    while true {
      let boundary = "mpaas-part-\(number)"
      let mark = Array(("--" + boundary).utf8)
      guard contents.contains(where: { contains(mark, in: $0) }) else { return boundary }
      number += 1
    }
  }

  private static func contains(_ mark: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = mark.first, bytes.count >= mark.count else { return false }
    var start = bytes.startIndex
    while let place = bytes[start...].firstIndex(of: first) {
      if bytes[place...].starts(with: mark) { return true }
      start = place + 1
    }
    return false
  }
}
