import ServingKit

/// A stand-in for APNs and FCM, which answers until it is told to end.
package struct PushDoubleServing: ServedWork {
  package static let name = "push-double"

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  /// The file of its configuration.
  package let configuration: String
  /// The file that each request is appended to; nil for none.
  package let log: String?
  /// The file that the authority's certificate is written to; nil for one in the folder of temporary files.
  package let authority: String?

  package init(listen: String, configuration: String, log: String?, authority: String?) {
    self.listen = listen
    self.configuration = configuration
    self.log = log
    self.authority = authority
  }
}
