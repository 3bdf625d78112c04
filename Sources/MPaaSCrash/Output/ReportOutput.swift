import MPaaSSupport

/// The formats that reports are written in.
package enum ReportOutput: String, CaseIterable, Sendable {
  case ips, json, apple, plcrash, md, sarif, html

  package var fileEnding: String {
    switch self {
    case .apple: "crash"
    default: rawValue
    }
  }

  /// The format that a file's ending asks for; nil where it asks for none.
  package init?(fileEnding path: String) {
    let name = FileSystem.name(of: path)
    guard let dot = name.lastIndex(of: "."),
      let format = Self.allCases.first(where: { $0.fileEnding == name[name.index(after: dot)...] })
    else { return nil }
    self = format
  }

  /// True where it is the format that a report was read from, by `ReportFile`'s name of it.
  func isFormat(_ name: String?) -> Bool {
    switch self {
    case .ips, .plcrash: name == rawValue
    case .apple: name == "apple-text"
    case .json: name == "kscrash"
    case .md, .sarif, .html: false
    }
  }
}
