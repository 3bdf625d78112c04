import MPaaSCrashReport

extension CrashReport.ThrownException {
  /// The exception that the runtime told of: `*** Terminating app due to uncaught exception 'Name', reason: 'Why'`.
  init?(lastWords: [String: [String]]) {
    let lines = lastWords.sorted { $0.key < $1.key }.flatMap(\.value)
    for line in lines {
      let bytes = Array(line.utf8)[...]
      guard let start = bytes.range(of: "Terminating app due to uncaught exception '") else { continue }
      guard let end = bytes[start.upperBound...].firstIndex(of: 0x27) else { return nil }
      var reason: String?
      if var rest = bytes[end...].after("', reason: '") {
        // The lines behind that of the reason are a call stack.
        if let quote = rest.lastIndex(of: 0x27) { rest = rest[..<quote] }
        reason = rest.text
      }
      self.init(name: bytes[start.upperBound..<end].text, reason: reason)
      return
    }
    return nil
  }
}
