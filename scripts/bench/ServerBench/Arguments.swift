import NIOHTTP1

/// The arguments of the benchmark.
struct Arguments: Sendable {
  let command: String
  private let options: [String: [String]]

  init(_ words: [String]) {
    command = words.dropFirst().first ?? ""
    var options: [String: [String]] = [:]
    var name: String?
    for word in words.dropFirst(2) {
      if word.hasPrefix("--") {
        name = String(word.dropFirst(2))
      } else if let name {
        options[name, default: []].append(word)
      }
    }
    self.options = options
  }

  func text(_ name: String) -> String { options[name]?.first ?? "" }
  func number(_ name: String, or usual: Int) -> Int { options[name]?.first.flatMap(Int.init) ?? usual }

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    for pair in options["header"] ?? [] {
      let parts = pair.split(separator: ":", maxSplits: 1).map(String.init)
      if parts.count == 2 { headers.add(name: parts[0], value: parts[1]) }
    }
    return headers
  }
}

/// `http://host:port/path`, in its parts.
struct Address: Sendable {
  let host: String
  let port: Int
  let path: String

  init(_ url: String) {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    let authority = rest.prefix { $0 != "/" }
    let parts = authority.split(separator: ":")
    host = parts.first.map(String.init) ?? "127.0.0.1"
    port = parts.count > 1 ? Int(parts[1]) ?? 80 : 80
    path = String(rest.dropFirst(authority.count))
  }
}
