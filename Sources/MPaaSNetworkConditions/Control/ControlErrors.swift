import MPaaSSupport

extension NetworkError.Code {
  /// The error for what is no `host:port`.
  package static var apiAddress: Self { NetworkError.Code("net-api-address", exit: .usage) }
  /// The control API cannot listen there.
  package static var apiNotListening: Self { NetworkError.Code("net-api-listen", exit: .cannotCreate) }
  /// A request whose body is not what it should be.
  package static var requestMalformed: Self { .malformed("net-request-malformed") }
  /// A request without a field that it must have.
  package static var fieldMissing: Self { .malformed("net-field-missing") }
  /// No server answers there.
  package static var apiUnreachable: Self { NetworkError.Code("net-api-unreachable", exit: .unreachable) }
  /// The server gave no time to its answer.
  package static var apiTimedOut: Self { NetworkError.Code("net-api-timed-out", exit: .tryAgain) }
  /// The error where what answers is no server of this API.
  package static var apiForeign: Self { NetworkError.Code("net-api-foreign", exit: .unreachable) }
  /// The server refused, for a reason that has no word of its own here.
  package static var apiRefused: Self { NetworkError.Code("net-api-refused", exit: .unreachable) }
  /// A configuration file that is not one.
  package static var configurationMalformed: Self { NetworkError.Code("net-config-malformed", exit: .badConfiguration) }
  /// The error where what was kept of a server's state cannot be read.
  package static var stateMalformed: Self { .malformed("net-state-malformed") }
  /// Another server keeps its state there.
  package static var stateInUse: Self { NetworkError.Code("net-state-in-use", exit: .tryAgain) }
  /// A button that there is not.
  package static var buttonUnknown: Self { NetworkError.Code("net-button-unknown", exit: .usage) }
}
