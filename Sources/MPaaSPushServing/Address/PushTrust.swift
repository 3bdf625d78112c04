package import MPaaSPush
import MPaaSSupport
import NIOSSL

/// The authorities that a provider's certificate is held against.
package struct PushTrust: Sendable {
  let context: NIOSSLContext

  /// - Parameter authorities: PEM; nil for those of the system.
  /// - Throws: `push-authority`.
  package init(authorities: [UInt8]?) throws(PushError) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = ["h2"]
    configuration.minimumTLSVersion = .tlsv12
    do {
      if let authorities {
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authorities))
      }
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw PushError(.authority, ["reason": "\(error)"])
    }
  }
}
