package import MPaaSSupport

/// A request that is not answered as it wishes: the status, and what toxiproxy says of it.
package struct ControlFailure: Error {
  package let status: Int
  /// The `error` of the answer.
  package let message: String
  /// The kit's error for the same, for clients of ours.
  package let cause: NetworkError?

  package init(_ status: Int, _ message: String, cause: NetworkError? = nil) {
    self.status = status
    self.message = message
    self.cause = cause
  }

  /// The JSON that is sent: `error` and `status` as toxiproxy has them, `code` and `values` beside them.
  package var object: JSONValue.Object {
    var object: JSONValue.Object = ["error": .string(message), "status": JSONValue(status)]
    if let cause {
      object["code"] = .string(cause.code.word)
      object["exit"] = JSONValue(cause.code.exit.rawValue)
      object["values"] = .object(cause.values.mapValues { .string($0) })
    }
    return object
  }

  package var answer: ControlAnswer { .json(.object(object), status: status) }

  static func malformed(_ reason: String) -> ControlFailure {
    ControlFailure(
      400, "bad request body: \(reason)", cause: NetworkError(.requestMalformed, ["reason": reason]))
  }

  static func missing(_ field: String) -> ControlFailure {
    ControlFailure(400, "missing required field: \(field)", cause: NetworkError(.fieldMissing, ["field": field]))
  }

  /// An error of proxies and conditions, in toxiproxy's words where it has any.
  init(_ error: NetworkError) {
    if let (status, message) = Self.known[error.code.word] {
      self.init(status, message, cause: error)
    } else if let words = Self.bindWords[error.code.word] ?? Self.bindWords(of: error) {
      let address = error.values["address"] ?? ""
      let real = (try? ControlAddress(address).resolved()).map { ControlAddress.text(of: $0) } ?? address
      self.init(500, "listen tcp \(real): bind: \(words)", cause: error)
    } else {
      let said = error.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      let words = said.isEmpty ? error.code.word : "\(error.code.word): \(said)"
      switch error.code.exit {
      case .inputMissing: self.init(404, words, cause: error)
      case .usage, .malformedInput, .badConfiguration: self.init(400, "bad request body: \(words)", cause: error)
      default: self.init(500, words, cause: error)
      }
    }
  }

  /// The errors that toxiproxy has words for.
  private static let known = [
    "net-proxy-unknown": (404, "proxy not found"),
    "net-proxy-exists": (409, "proxy already exists"),
    "net-toxic-unknown": (404, "toxic not found"),
    "net-toxic-exists": (409, "toxic already exists"),
    "net-toxic-type": (400, "invalid toxic type"),
    "net-toxic-stream": (400, "stream was invalid, can be either upstream or downstream"),
  ]

  /// The reasons why an address cannot be listened on, in the words of Go's system errors.
  private static let bindWords = [
    "net-address-in-use": "address already in use", "net-address-elsewhere": "cannot assign requested address",
    "net-address-refused": "permission denied", "net-descriptors-exhausted": "too many open files",
  ]

  private static func bindWords(of error: NetworkError) -> String? {
    error.code.word == "net-listen-failed" ? error.values["reason"]?.lowercased() : nil
  }
}
