import ServingKit

/// A mock gateway, which answers until it is told to end.
package struct MockServing: ServedWork {
  package static let name = "gateway-mock"

  /// A file of another mock.
  package struct Import: Codable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable { case hoverfly, mockoon, postman }

    package let kind: Kind
    package let file: String

    package init(_ kind: Kind, _ file: String) {
      self.kind = kind
      self.file = file
    }
  }

  /// A key that signatures of calls are checked with.
  package struct SigningKey: Codable, Sendable {
    /// The app whose calls are signed with it; `*` for every app.
    package let app: String
    package let algorithm: String
    /// A file with the secret, or with a key of RSA in PEM.
    package let file: String

    /// - Parameter word: The algorithm, or `APP:ALGORITHM`.
    package init(_ word: String, _ file: String) {
      let colon = word.lastIndex(of: ":")
      app = colon.map { String(word[..<$0]) } ?? "*"
      algorithm = colon.map { String(word[word.index(after: $0)...]) } ?? word
      self.file = file
    }
  }

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  /// True where other machines may reach it.
  package var isPublic = false
  /// Names beside addresses and `localhost` by which the admin API may be called.
  package var hosts: Set<String> = []
  package var openAPI: String?
  /// The folder of stubs.
  package var stubs: String?
  package var pact: String?
  /// The folder that what was asked of the pact is written to.
  package var pactFolder: String?
  package var har: String?
  package var imports: [Import] = []
  /// True where OpenAPI documents answer with their errors, too.
  package var hasErrors = false
  /// True where OpenAPI documents answer with generated values.
  package var isDynamic = false
  package var allowsOrigins = true
  package var isSecure = false
  /// The file that the authority's certificate is written to; nil for one that goes with the program.
  package var authority: String?
  /// The server that requests without an answer are passed on to, to be recorded.
  package var recorded: String?
  /// The server that requests go to when the OpenAPI document has been asked about them.
  package var proxied: String?
  package var signingKeys: [SigningKey] = []
  /// The most seconds between the time of a call and the mock's; 0 where times are not looked at, nil for the usual.
  package var window: Int?
  /// The network conditions.
  package var profile: String?
  package var seed: UInt64?
  package let version: String

  package init(listen: String, version: String) {
    self.listen = listen
    self.version = version
  }
}
