public import MPaaSFramework
package import MPaaSSupport

/// The reason why a call gave no result, with texts that an app can show.
public struct RPCError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of the error.
  public let code: Code
  /// The values that the texts name: the operation, the gateway, the reason.
  public package(set) var values: [String: String]
  /// The gateway's result code; nil where the call did not come so far.
  public package(set) var resultCode: RPCResultCode?
  /// The answer that says so; nil where there was none.
  public package(set) var response: RPCResponse?
  /// The time that the server wants not to be asked again; nil where it does not say.
  public package(set) var retryAfter: TimeSpan?

  package init(
    _ code: Code, _ values: [String: String] = [:], resultCode: RPCResultCode? = nil, response: RPCResponse? = nil,
    retryAfter: TimeSpan? = nil
  ) {
    self.code = code
    self.values = values
    self.resultCode = resultCode
    self.response = response
    self.retryAfter = retryAfter
  }

  /// Compares kind, values and result code.
  public static func == (left: RPCError, right: RPCError) -> Bool {
    left.code == right.code && left.values == right.values && left.resultCode == right.resultCode
  }

  /// The message in English.
  public var description: String { message(in: .english) }

  /// The event and its remedy, for developers.
  public func message(in language: TextLanguage) -> String {
    let text = language == .english ? code.english : code.chinese
    var named = values
    if let resultCode {
      named["result"] = String(resultCode.rawValue)
      named["meaning"] = resultCode.meaning.text(in: language)
    }
    let joined = [text.sentence, text.help].filter { !$0.isEmpty }
    return joined.map { RPCTextFilling.fill($0, named) }.joined(separator: language == .english ? " " : "")
  }

  /// True where the same call may succeed a little later.
  public var isPassing: Bool {
    switch code {
    case .unreachable, .timedOut, .failed, .circuitOpen: true
    case .gateway: resultCode?.isPassing ?? false
    case .refused: response.map { $0.status == 429 || $0.status == 408 } ?? false
    default: false
    }
  }

  func naming(_ operation: String) -> RPCError {
    guard values["operation"] == nil else { return self }
    var error = self
    error.values["operation"] = operation
    return error
  }
}

extension RPCError {
  /// One way of failing: the stable word that `mpaas explain` knows, with its texts.
  ///
  /// Two codes are equal where their words are.
  public struct Code: Sendable, Hashable {
    struct Text: Sendable {
      let sentence: String
      let help: String
    }

    /// The stable word for the error: `rpc-timed-out`.
    public let id: String
    let english: Text
    let chinese: Text
    let exit: ExitStatus

    init(_ id: String, en: String, enHelp: String, zh: String, zhHelp: String, exit: ExitStatus = .unreachable) {
      self.id = id
      english = Text(sentence: en, help: enHelp)
      chinese = Text(sentence: zh, help: zhHelp)
      self.exit = exit
    }

    /// Compares the words.
    public static func == (left: Code, right: Code) -> Bool { left.id == right.id }
    /// Hashes the word.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}

extension RPCError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { diagnostic(language: TextLanguage.english.rawValue) }

  /// The error for the command, with the meaning of the gateway's code in a language, `en` or `zh-Hans`.
  package func diagnostic(language: String) -> Diagnostic {
    let language = TextLanguage(rawValue: language) ?? .english
    var named = values
    if let resultCode {
      named["result"] = String(resultCode.rawValue)
      named["meaning"] = resultCode.meaning.text(in: language)
    }
    return Diagnostic(DiagnosticID(code.id), named, exit: code.exit)
  }
}

/// Values in the place of their names in braces.
enum RPCTextFilling {
  static func fill(_ text: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: start)..<end])
      result += rest[..<start]
      result += values[name] ?? "-"
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
