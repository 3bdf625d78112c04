import MPaaSSupport

extension NetworkError.Code {
  /// A proxy that is not there.
  package static var proxyUnknown: Self { NetworkError.Code("net-proxy-unknown", exit: .inputMissing) }
  /// A name that another proxy has.
  package static var proxyExists: Self { NetworkError.Code("net-proxy-exists", exit: .cannotCreate) }
  /// A proxy without a name.
  package static var proxyNameless: Self { .malformed("net-proxy-nameless") }
  /// A proxy that needs an upstream and has none.
  package static var proxyUpstreamMissing: Self { .malformed("net-proxy-upstream-missing") }
  /// A toxic that the proxy does not have.
  package static var toxicUnknown: Self { NetworkError.Code("net-toxic-unknown", exit: .inputMissing) }
  /// A name that another toxic of the proxy has.
  package static var toxicExists: Self { NetworkError.Code("net-toxic-exists", exit: .cannotCreate) }
  /// A toxic on a kind of proxy that it does nothing on.
  package static var toxicWithoutEffect: Self { NetworkError.Code("net-toxic-without-effect", exit: .usage) }
  /// A profile or a timeline of which no proxy that it is put on takes anything.
  package static var profileWithoutEffect: Self { NetworkError.Code("net-profile-without-effect", exit: .usage) }
  /// A share of connections that is none.
  package static var toxicityMalformed: Self { .malformed("net-toxicity-malformed") }
  /// The error for what is no address.
  package static var addressMalformed: Self { .malformed("net-address-malformed") }
  /// A host that has no address.
  package static var addressUnresolved: Self { NetworkError.Code("net-address-unresolved", exit: .unreachable) }
  /// An address that another program listens on.
  package static var addressInUse: Self { NetworkError.Code("net-address-in-use", exit: .cannotCreate) }
  /// An address that this machine does not have.
  package static var addressElsewhere: Self { NetworkError.Code("net-address-elsewhere", exit: .cannotCreate) }
  /// A port that needs rights.
  package static var addressRefused: Self { .refused("net-address-refused") }
  /// No more descriptors for a listener.
  package static var descriptorsExhausted: Self {
    NetworkError.Code("net-descriptors-exhausted", exit: .tryAgain)
  }
  /// A listener that failed for another reason.
  package static var listenFailed: Self { NetworkError.Code("net-listen-failed", exit: .inputOutput) }
}
