import MPaaSSupport

/// The sizes from which bodies of recorded answers go into files, and no longer stand in the stubs.
package struct BodyExtraction: Sendable, Equatable {
  /// The most bytes of a body that is a text and stays in its stub.
  let text: Int
  /// The most bytes of any other body that stays in its stub.
  let binary: Int

  init(_ reader: StubReader) throws(StubProblem) {
    text = try Self.size(reader["textSizeThreshold"])
    binary = try Self.size(reader["binarySizeThreshold"])
  }

  /// A size as `2048`, `2 kb` or `18.2 GB`; 0 where none is given.
  private static func size(_ reader: StubReader?) throws(StubProblem) -> Int {
    guard let reader else { return 0 }
    let words = try reader.scalarText().split(separator: " ").joined().lowercased()
    let digits = words.prefix { $0.isNumber || $0 == "." }
    let units: [String: Double] = ["": 1, "b": 1, "kb": 0x1p10, "mb": 0x1p20, "gb": 0x1p30, "tb": 0x1p40]
    guard let number = Double(digits), let unit = units[String(words.dropFirst(digits.count))], number * unit < 0x1p62
    else { throw reader.problem("is no size, such as 2 kb") }
    return Int(number * unit)
  }

  /// Writes large bodies to files; one that cannot be written stays in its stub.
  func extract(_ stubs: inout [StubMapping], to files: MockFiles, _ random: MockRandom) {
    for index in stubs.indices {
      let response = stubs[index].response
      let (bytes, most): ([UInt8], Int)
      switch response.body {
      case .text(let body): (bytes, most) = (Array(body.utf8), text)
      case .bytes(let body): (bytes, most) = (body, binary)
      default: continue
      }
      guard bytes.count > most else { continue }
      if stubs[index].id.isEmpty { stubs[index].id = random.uuid() }
      let type = response.headers.first { MockRequest.isSame($0.name, "Content-Type") }?.values.first
      let name = [stubs[index].name ?? "", stubs[index].id].filter { !$0.isEmpty }.joined(separator: "-")
      let file = "\(name).\(Self.ending(type))"
      if files.write(file, bytes) { stubs[index].response.body = .file(file) }
    }
  }

  /// The ending of a file's name for a media type.
  private static func ending(_ type: String?) -> String {
    let bare = type?.prefix { $0 != ";" }.lowercased().split(separator: " ").first.map(String.init) ?? ""
    let part = bare.split(separator: "/").last.map(String.init) ?? ""
    if part.hasSuffix("json") { return "json" }
    if part.hasSuffix("xml") { return "xml" }
    let known = [
      "plain": "txt", "html": "html", "css": "css", "javascript": "js", "csv": "csv", "png": "png", "jpeg": "jpeg",
      "gif": "gif", "webp": "webp", "pdf": "pdf", "zip": "zip",
    ]
    return known[part] ?? (bare.hasPrefix("text/") ? "txt" : "bin")
  }
}
