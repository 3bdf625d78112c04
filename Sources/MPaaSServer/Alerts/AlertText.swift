import MPaaSProtocol
import MPaaSTerminal

/// A message in words, in one language.
struct AlertText: Sendable {
  let title: String
  let lines: [String]

  /// - Parameter catalogue: The texts of the language.
  init(_ message: AlertMessage, _ catalogue: Catalogue) {
    let values = [
      "name": message.name, "app": message.appName, "count": String(message.count),
      "messages": String(message.messages ?? 0),
    ]
    title = catalogue.text("text.alert-\(message.kind.rawValue)", values)
    var lines = message.kind == .test ? [] : [catalogue.text("text.alert-when-\(message.condition)", values)]
    for subject in message.subjects {
      let value = subject.value.map { " – " + $0 } ?? ""
      lines.append((subject.title.isEmpty ? message.appName : subject.title) + value)
      if let url = subject.url { lines.append(url) }
    }
    let rest = message.count - Int64(message.subjects.count)
    if rest > 0 { lines.append(catalogue.text("text.alert-more", ["count": String(rest)])) }
    self.lines = lines
  }

  var plain: String { ([title] + lines).joined(separator: "\n") }
}
