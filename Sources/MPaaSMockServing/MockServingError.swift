package import MPaaSSupport

/// The part of the kit that `MockServingError` belongs to.
package enum MockServingDomain {}

/// The reason why the mock cannot be served.
package typealias MockServingError = CodedError<MockServingDomain>

extension MockServingError.Code {
  /// An address that cannot be listened on.
  package static var listen: Self { MockServingError.Code("mock-listen", exit: .unreachable) }
  /// A certificate that could not be made.
  package static var certificate: Self { MockServingError.Code("mock-certificate", exit: .internalFault) }
}

/// An address to listen on.
struct ListeningAddress {
  let host: String
  let port: Int

  init(_ text: String) throws(MockServingError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw MockServingError(.listen, ["address": text, "reason": "HOST:PORT"])
    }
    let host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    self.host = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
    self.port = Int(port)
  }
}
