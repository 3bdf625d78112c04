import Foundation
import MPaaSJSON
import MPaaSJSONSchema
import MPaaSOpenAPI
import MPaaSSupport

/// One of Prism's cases: a description, how the server is started, a call of curl, and the answer.
struct MockCase {
  let name: String
  let document: String
  let server: String
  let words: [String]
  let isLoose: Bool
  let status: Int
  let headers: [(name: String, value: String)]
  let body: String

  init?(_ text: String, name: String) {
    self.name = name
    func part(_ title: String) -> String? {
      guard let start = text.range(of: "====\(title)====\n") else { return nil }
      let rest = text[start.upperBound...]
      return String(rest[..<(rest.range(of: "\n====")?.lowerBound ?? rest.endIndex)])
    }
    guard let document = part("spec"), let server = part("server"), let command = part("command"),
      let expected = part("expect") ?? part("expect-loose")
    else { return nil }
    self.document = document
    self.server = server.trimmingCharacters(in: .whitespacesAndNewlines)
    words = Self.words(command.trimmingCharacters(in: .whitespacesAndNewlines))
    isLoose = text.contains("====expect-loose====")
    let lines = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    let end = lines.firstIndex { $0.trimmingCharacters(in: .whitespaces).isEmpty } ?? lines.count
    headers = lines[min(1, lines.count)..<max(1, end)].compactMap { line in
      line.range(of: ": ").map { (line[..<$0.lowerBound].lowercased(), String(line[$0.upperBound...])) }
    }
    body = lines[end...].joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The words of a shell's line, with quotes and backslashes.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isOpen = false
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        if quote == "\"", !"\"\\$`".contains(character) { word.append("\\") }
        word.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
        isOpen = true
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isOpen = true
      } else if character == " " || character == "\n" {
        if isOpen || !word.isEmpty { words.append(word) }
        (word, isOpen) = ("", false)
      } else {
        word.append(character)
      }
    }
    return isOpen || !word.isEmpty ? words + [word] : words
  }

  var isProxy: Bool { server.hasPrefix("proxy") }

  /// The request that curl sends.
  var request: OpenAPIRequest {
    var method: String?
    var headers: [(name: String, value: String)] = []
    var target = "/"
    var data: [String] = []
    var form: [String] = []
    var isHead = false
    var index = 1
    while index < words.count {
      let word = words[index]
      func next() -> String {
        index += 1
        return index < words.count ? words[index] : ""
      }
      switch word {
      case "-X", "--request": method = next()
      case "-H", "--header":
        let text = next()
        if let colon = text.firstIndex(of: ":") {
          let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
          let name = String(text[..<colon])
          headers.removeAll { $0.name.lowercased() == name.lowercased() }
          headers.append((name, value))
        }
      case "-d", "--data", "--data-raw": data.append(next())
      case "-F", "--form": form.append(next())
      case "--cookie", "-b": headers.append(("Cookie", next()))
      case "-u", "--user": headers.append(("Authorization", "Basic " + Data(next().utf8).base64EncodedString()))
      case "--head": isHead = true
      case "--url": target = Self.target(next())
      case "-sIXGET": method = "GET"
      case let url where url.hasPrefix("http"): target = Self.target(url)
      default: break
      }
      index += 1
    }
    if !headers.contains(where: { $0.name.lowercased() == "accept" }) { headers.append(("Accept", "*/*")) }
    headers.removeAll { $0.name.lowercased() == "accept" && $0.value.isEmpty }
    var body = data.joined(separator: "&")
    if !form.isEmpty {
      body =
        form.map { field in
          let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          return
            "--edge\r\nContent-Disposition: form-data; name=\"\(parts[0])\"\r\n\r\n\(parts.count > 1 ? parts[1] : "")\r\n"
        }.joined() + "--edge--\r\n"
      headers.removeAll { $0.name.lowercased() == "content-type" }
      headers.append(("Content-Type", "multipart/form-data; boundary=edge"))
    } else if !data.isEmpty, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      headers.append(("Content-Type", "application/x-www-form-urlencoded"))
    }
    let usual = isHead ? "HEAD" : body.isEmpty ? "GET" : "POST"
    return OpenAPIRequest(
      method: method ?? usual, target: target, headers: OpenAPIHeaders(headers), body: Array(body.utf8))
  }

  private static func target(_ url: String) -> String {
    let rest = url.dropFirst(url.hasPrefix("https") ? 8 : 7)
    return rest.firstIndex { $0 == "/" || $0 == "?" }.map { String(rest[$0...]) } ?? "/"
  }

  var options: OpenAPIMock.Options {
    var options = OpenAPIMock.Options()
    let words = server.split(separator: " ")
    options.isDynamic = words.contains("-d") || words.contains("--dynamic")
    options.tellsErrors = words.contains("--errors")
    return options
  }

  /// The differences from the right answer; none where it is right.
  ///
  /// Sentences of problems are Prism's own, so that they are not compared; all else of them is.
  func difference() throws -> String? {
    let bytes = Array(document.utf8)
    let mock = OpenAPIMock(try OpenAPIDocument(bytes, file: "case.yaml"), options: options)
    let answer = isProxy ? proxied(mock) : mock.answer(request)
    guard answer.status == status else { return "status \(answer.status), not \(status)" }
    for (name, value) in headers {
      let found = answer.headers[name] ?? "none"
      guard name != "sl-violations" || isLoose else {
        guard let left = Self.json(found), let right = Self.json(value), left.isSame(as: right) else {
          return "\(name): \(found)"
        }
        continue
      }
      if !isLoose, name != "content-type" || !found.hasPrefix(value), found != value { return "\(name): \(found)" }
    }
    guard !body.isEmpty, request.method != "HEAD" else { return nil }
    let text = String(decoding: answer.body, as: UTF8.self)
    if isLoose { return Self.isAlike(text, body) ? nil : "body of another shape: \(text)" }
    guard let wanted = Self.json(body) else { return text == body ? nil : "body: \(text)" }
    guard let found = Self.json(text) else { return "body is no JSON: \(text)" }
    let isProblem = wanted["type"] != nil && wanted["detail"] != nil
    let isSame = isProblem ? Self.bare(found).isSame(as: Self.bare(wanted)) : found.isSame(as: wanted)
    return isSame ? nil : "body: \(text)"
  }

  /// The answer that comes from a server behind the mock.
  private func proxied(_ mock: OpenAPIMock) -> OpenAPIAnswer {
    let proxy = OpenAPIProxy(mock)
    switch proxy.step(request) {
    case .answer(let answer): return answer
    case .pass: return proxy.answer(Self.bin(request), to: request)
    }
  }

  /// The answer of the server that the cases name: a status that its path asks for, or a document of slides.
  private static func bin(_ request: OpenAPIRequest) -> OpenAPIAnswer {
    if request.path.hasPrefix("/status/") {
      let type = OpenAPIHeaders([("Content-Type", "text/html; charset=utf-8")])
      return OpenAPIAnswer(status: Int(request.path.dropFirst(8)) ?? 404, headers: type)
    }
    let show = """
      {"slideshow":{"author":"Yours Truly","date":"date of publication","slides":[{"title":"Wake up to WonderWidgets!",\
      "type":"all"},{"items":["Why <em>WonderWidgets</em> are great","Who <em>buys</em> WonderWidgets"],\
      "title":"Overview","type":"all"}],"title":"Sample Slide Show"}}
      """
    return OpenAPIAnswer(
      status: 200, headers: OpenAPIHeaders([("Content-Type", "application/json")]), body: Array(show.utf8))
  }

  /// A problem without its sentences.
  private static func bare(_ problem: JSONNode) -> JSONNode {
    JSONNode(.object((problem.members ?? []).filter { $0.name != "detail" && $0.name != "title" }))
  }

  private static func json(_ text: String) -> JSONNode? {
    (try? JSONSource(parsing: Array(text.utf8), file: ""))?.root
  }

  /// Tells whether a drawn body has what one that was drawn otherwise has.
  private static func isAlike(_ text: String, _ wanted: String) -> Bool {
    guard let wanted = json(wanted) else { return text.first == wanted.first }
    guard let found = json(text) else { return false }
    return (wanted.members ?? []).allSatisfy { found[$0.name]?.value.kind == $0.value.value.kind }
  }
}
