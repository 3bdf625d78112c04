import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// The file about the issuer cannot be used.
  static var openIDSettings: Self { ServerError.Code("server-oidc", exit: .badConfiguration) }
  /// The issuer cannot be reached.
  static var openIDAway: Self { ServerError.Code("oidc-away", exit: .unreachable) }
  /// The issuer answers something that cannot be used.
  static var openIDAnswer: Self { .malformed("oidc-answer") }
  /// The answer belongs to no login that was begun in this browser, or to one that is over.
  static var openIDState: Self { .refused("oidc-state") }
  /// The issuer lets the person in no further.
  static var openIDDenied: Self { .refused("oidc-denied") }
  /// The token about the person is not one of the issuer's for this console and this login.
  static var openIDToken: Self { .refused("oidc-token") }
  /// No group of the person gives a role.
  static var openIDRole: Self { .refused("oidc-role") }
  /// The person's address of mail is of none of the domains, or not verified.
  static var openIDDomain: Self { .refused("oidc-domain") }
  /// The account is disabled.
  static var openIDDisabled: Self { .refused("oidc-disabled") }
}
