package import MPaaSSigning

/// The demands of a mock of mPaaS' gateway on calls.
package struct GatewayCallRules: Sendable {
  /// The signers whose signatures are accepted, by the key of the app; those under `*` for every app.
  ///
  /// Without any, signatures are not looked at.
  package var signers: [String: [RequestSigner]] = [:]
  /// The most milliseconds between the time of a call and the mock's; nil where times are not looked at.
  package var window: Double? = 600_000
  /// The most milliseconds for an answer before the gateway gives up.
  package var patience: Double = 3000
  /// True where a call that breaks a rule gets the gateway's code for it (`--errors`); else it is answered, and the codes
  /// stand in the header `X-Mpaas-Violations`.
  ///
  /// Calls whose signature is wrong are refused in any case: whoever names keys means to have them checked.
  package var isStrict = false
  /// True where calls out of the window of time are refused in any case, too.
  package var refusesTimes = false

  package init() {}

  /// Tells whether a call gets the code of a rule that it breaks.
  func refuses(_ violation: GatewayViolation) -> Bool {
    switch violation.result {
    case .noKey, .signatureArguments, .signatureWrong, .noSignature: true
    case .timeOutOfWindow, .noTime: isStrict || refusesTimes
    default: isStrict
    }
  }
}

/// A rule that a call breaks.
package struct GatewayViolation: Sendable, Equatable {
  package let result: GatewayResult
  /// The words for what is wrong, in English, for the header `Memo`.
  package let detail: String

  init(_ result: GatewayResult, _ detail: String? = nil) {
    self.result = result
    self.detail = detail ?? result.memo
  }
}
