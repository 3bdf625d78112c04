import MPaaSPush
import MPaaSSupport

extension PushError.Code {
  /// An address that is no `https` URL of a host.
  static var address: Self { PushError.Code("push-address", exit: .usage) }
  /// A file of authorities that cannot be used.
  static var authority: Self { .malformed("push-authority") }
  /// A provider that no connection leads to.
  static var unreachable: Self { PushError.Code("push-unreachable", exit: .unreachable) }
  /// A server of access tokens that refuses the service account.
  static var accessRefused: Self { .refused("push-access-refused") }
  /// An address that the double cannot listen on.
  static var listen: Self { PushError.Code("push-listen", exit: .cannotCreate) }
  /// A certificate of the double that cannot be made or used.
  static var certificate: Self { PushError.Code("push-certificate", exit: .internalFault) }
}
