package import MPaaSSupport

/// The errors of updating the kit itself.
package enum KitUpdateDomain {}

/// The reason why an installed kit was not updated; the version before is in its place then.
package typealias KitUpdateError = CodedError<KitUpdateDomain>

extension CodedError<KitUpdateDomain>.Code {
  // Kits that something else updates, or nothing.
  package static var packaged: Self { refused("kit-packaged") }
  package static var buildFolder: Self { refused("kit-build-folder") }
  package static var rootMissing: Self { Self("kit-root-missing", exit: .badConfiguration) }
  package static var busy: Self { Self("kit-update-busy", exit: .tryAgain) }
  package static var noRollback: Self { Self("kit-no-rollback", exit: .inputMissing) }

  // Channels.
  package static var badChannel: Self { Self("kit-bad-channel", exit: .usage) }
  package static var channelMissing: Self { Self("kit-channel-missing", exit: .inputMissing) }
  package static var channelMalformed: Self { malformed("kit-channel-malformed") }
  package static var channelMismatch: Self { refused("kit-channel-mismatch") }
  package static var versionOlder: Self { refused("kit-version-older") }
  package static var machineMissing: Self { Self("kit-machine-missing", exit: .inputMissing) }

  // Archives.
  package static var archiveMismatch: Self { refused("kit-archive-mismatch") }
  package static var archiveMalformed: Self { malformed("kit-archive-malformed") }
  package static var doesNotRun: Self { Self("kit-does-not-run", exit: .internalFault) }
}
