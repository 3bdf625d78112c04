import MPaaSSupport

extension GenerationError.Code {
  static var scaffoldNameTwice: Self { malformed("scaffold-name-twice") }
  static var scaffoldWrongKind: Self { malformed("scaffold-wrong-kind") }
  static var scaffoldEmpty: Self { malformed("scaffold-empty") }
  static var scaffoldBadName: Self { malformed("scaffold-bad-name") }
  static var scaffoldUnknownType: Self { malformed("scaffold-unknown-type") }
  static var scaffoldOpenReference: Self { malformed("scaffold-open-reference") }
  static var scaffoldInheritanceCycle: Self { malformed("scaffold-inheritance-cycle") }
  static var scaffoldBadEnumeration: Self { malformed("scaffold-bad-enumeration") }
  static var scaffoldValueTwice: Self { malformed("scaffold-value-twice") }
  static var scaffoldBadCall: Self { malformed("scaffold-bad-call") }
  static var scaffoldBadMethod: Self { malformed("scaffold-bad-method") }
  static var scaffoldBadURL: Self { malformed("scaffold-bad-url") }
  static var scaffoldParameterTwice: Self { malformed("scaffold-parameter-twice") }
  static var scaffoldBadParameter: Self { malformed("scaffold-bad-parameter") }
  static var scaffoldBadHeader: Self { malformed("scaffold-bad-header") }
  static var scaffoldBadFile: Self { malformed("scaffold-bad-file") }
  static var scaffoldBadBody: Self { malformed("scaffold-bad-body") }
  static var scaffoldBadServer: Self { malformed("scaffold-bad-server") }
  static var scaffoldTypeTwice: Self { malformed("scaffold-type-twice") }
  // Notes: what is passed over, or taken in the only way that makes sense.
  static var scaffoldUnknownKey: Self { malformed("scaffold-unknown-key") }
  static var scaffoldCallSkipped: Self { malformed("scaffold-call-skipped") }
  static var scaffoldPlainServer: Self { malformed("scaffold-plain-server") }
  static var scaffoldNoServer: Self { malformed("scaffold-no-server") }
}
