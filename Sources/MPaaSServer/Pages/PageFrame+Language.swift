import Hummingbird
import MPaaSTerminal

extension PageFrame {
  /// The frame in the language that a request asks for, else in the server's.
  init(_ request: Request, _ services: ServerServices) {
    let usual = services.catalogue.language
    let language = AcceptLanguage.best(of: request.headers[.acceptLanguage] ?? "") ?? usual
    self.init(catalogue: language == usual ? services.catalogue : Catalogue(language: language))
  }
}

/// The language that a browser asks for (RFC 9110, 12.5.4).
enum AcceptLanguage {
  /// The best of those that we speak; nil where it asks for none of them.
  static func best(of header: String) -> Language? {
    var best: (language: Language, weight: Double)?
    for range in header.split(separator: ",").prefix(50) {
      let parts = range.split(separator: ";")
      guard let tag = parts.first, let language = Language(tag: tag.filter { $0 != " " }) else { continue }
      let quality = parts.dropFirst().first { $0.drop { $0 == " " }.hasPrefix("q=") }
      let weight = quality.map { Double($0.drop { $0 != "=" }.dropFirst().filter { $0 != " " }) ?? 0 } ?? 1
      if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
    }
    return best?.language
  }
}
