package import MPaaSSupport
package import MPaaSTrust
import Synchronization

/// A question for a passphrase.
package enum PassphraseQuestion: Sendable, Equatable {
  /// The passphrase that opens what is there, by its name.
  case existing(String)
  /// A passphrase for something new, by its name.
  case new(String)
  /// The same passphrase once more.
  case again
}

/// The parts of the world that passphrases come from.
package struct PassphraseEffects: Sendable {
  /// Asks a person for a line, which is not shown.
  package var ask: @Sendable (PassphraseQuestion) throws -> [UInt8]
  /// Tells of a file that others than its owner may read.
  package var warn: @Sendable (Diagnostic) -> Void
  /// Reads an open file to its end.
  package var read: @Sendable (_ descriptor: Int32) throws -> SecretBytes

  package init(
    ask: @escaping @Sendable (PassphraseQuestion) throws -> [UInt8],
    warn: @escaping @Sendable (Diagnostic) -> Void,
    read: @escaping @Sendable (_ descriptor: Int32) throws -> SecretBytes = PassphraseDescriptors.read
  ) {
    self.ask = ask
    self.warn = warn
    self.read = read
  }
}

/// Open files that passphrases are read from.
package enum PassphraseDescriptors {
  /// Reads an open file once; its passphrase serves for all that the process opens.
  @Sendable package static func read(_ descriptor: Int32) throws -> SecretBytes {
    try taken.withLock { taken in
      if let bytes = taken[descriptor] { return bytes }
      let bytes = try PrivateFile.read(descriptor: descriptor, "--passphrase-fd \(descriptor)")
      taken[descriptor] = bytes
      return bytes
    }
  }

  private static let taken = Mutex<[Int32: SecretBytes]>([:])
}
