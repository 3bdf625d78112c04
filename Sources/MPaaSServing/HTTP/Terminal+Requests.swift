import MPaaSTerminal

extension Terminal {
  /// Tells a request and its answer, with `--verbose`.
  func note(request method: String, _ path: String, _ status: Int) {
    // A path is a stranger's text: what a terminal would obey is left out.
    let text = String(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
    detail(StyledText("\(method) \(text) \(status)", .faint))
  }
}
