package import CommandKit
import MPaaSSupport
package import MPaaSTrustTools

extension Context {
  /// The keys of the user.
  package var keys: KeyStore { KeyStore(folder: directories.configuration + "/keys", now: now) }
}
