import MPaaSSupport
import MPaaSTrust

extension Context {
  /// The keys of the user.
  var keys: KeyStore { KeyStore(folder: directories.configuration + "/keys", now: now) }
}
