package import MPaaSSupport

extension ConfigError.Code {
  /// A class that no source declares.
  package static var runtimeClassMissing: Self { malformed("runtime-class-missing") }
  package static var runtimeClassKind: Self { malformed("runtime-class-kind") }
  package static var runtimeClassPrivate: Self { malformed("runtime-class-private") }
  package static var runtimeClassConformance: Self { malformed("runtime-class-conformance") }
  package static var runtimeProtocolMissing: Self { malformed("runtime-protocol-missing") }
  package static var runtimeDuplicate: Self { malformed("runtime-duplicate") }
  package static var runtimeLauncher: Self { malformed("runtime-launcher") }
  package static var runtimeUnknownKey: Self { malformed("runtime-unknown-key") }
  package static var runtimeRegisteredTwice: Self { malformed("runtime-registered-twice") }
}
