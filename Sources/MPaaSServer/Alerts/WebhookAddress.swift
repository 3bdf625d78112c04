import MPaaSSupport

/// The address of a webhook, read so strictly that every other reader reads it in the same way.
struct WebhookAddress: Sendable, Equatable {
  /// The address without its fragment.
  let url: String
  /// The name, or the address without brackets, in small letters.
  let host: String

  private static let longest = 2000

  /// - Parameter allowsPrivate: Whether addresses that are not of the whole internet are taken.
  /// - Throws: `webhook-address` with a word for the reason.
  init(_ text: String, allowsPrivate: Bool) throws(ServerError) {
    guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x5c })
    else { throw Self.fault("characters") }
    guard let mark = text.firstPlace(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased())
    else { throw Self.fault("scheme") }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@") else { throw Self.fault("user") }
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw Self.fault("host") }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let behind = authority[authority.index(after: end)...]
      guard behind.isEmpty || behind.hasPrefix(":") else { throw Self.fault("host") }
      if !behind.isEmpty { port = behind.dropFirst() }
    } else if let colon = authority.firstIndex(of: ":") {
      (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
    }
    if let port {
      guard (1...5).contains(port.count), port.allSatisfy({ "0"..."9" ~= $0 }), (1...65_535).contains(Int(port) ?? 0)
      else { throw Self.fault("port") }
    }
    self.host = host.lowercased()
    url = String(text.prefix { $0 != "#" })
    try Self.check(self.host, isBracketed: authority.hasPrefix("["), allowsPrivate)
  }

  private static func check(_ host: String, isBracketed: Bool, _ allowsPrivate: Bool) throws(ServerError) {
    if let address = InternetAddress(host), address.bytes.count == (isBracketed ? 16 : 4) {
      guard allowsPrivate || address.isGlobal else { throw fault("private") }
      return
    }
    guard !isBracketed else { throw fault("host") }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, labels.allSatisfy(isLabel) else { throw fault("host") }
    // A name whose end is a number is an address in another way of writing.
    guard let last = labels.last, last.contains(where: \.isLetter), !last.hasPrefix("0x") else {
      throw fault("host")
    }
    guard allowsPrivate || (last != "localhost" && labels.count > 1 && last != "local" && last != "internal") else {
      throw fault("private")
    }
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
      && label.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d || $0 == 0x5f }
  }

  private static func fault(_ reason: String) -> ServerError {
    ServerError(.webhookAddress, ["reason": "webhook-\(reason)"])
  }
}

extension CodedError<ServerDomain>.Code {
  /// An address that alerts are not sent to.
  static var webhookAddress: Self { .malformed("webhook-address") }
  /// The wish for an alert says what cannot be.
  static var alertRule: Self { .malformed("alert-rule") }
  /// The file about mail cannot be used.
  static var mailSettings: Self { ServerError.Code("server-mail", exit: .badConfiguration) }
}
