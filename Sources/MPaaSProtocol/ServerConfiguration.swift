/// The configuration that `mpaas serve` hands to the server's program.
package struct ServerConfiguration: Codable, Sendable, Equatable {
  /// The folder of everything that is stored.
  package var data: String
  /// `HOST:PORT`; port 0 takes a free one.
  package var listen: String
  /// The database: the path of a file, or `postgres://…`; nil is `data/mpaas.sqlite`.
  package var database: String?
  /// The place of blobs: the path of a folder, or `s3://BUCKET/PREFIX?endpoint=URL&region=REGION`; nil is `data/blobs`.
  package var blobs: String?
  /// PEM files; both or neither.
  package var certificate: String?
  package var privateKey: String?
  /// The address at which clients reach it where a proxy stands before it: `https://console.example.com`.
  package var publicURL: String?
  /// Folders of debug files to symbolicate with, beside the symbol store.
  package var symbols: [String] = []
  /// Rules that crashes are grouped by; nil is `data/.mpaas-groups`, where there is one.
  package var rules: String?
  package var json = false
  package var language = "en"
  package var quiet = false
  /// Approvals by others than its author that a change of flags needs.
  package var approvals = 0
  /// The file that names the keys of senders of notifications; nil for none.
  package var push: String?
  /// Tells whether this start makes a token, though it is not the first.
  package var makesToken = false
  /// Tells whether devices without a secret get no collection tasks at all; otherwise those of older apps do.
  package var needsDeviceSecrets = false
  /// The file that says by which server mail is sent; nil sends none.
  package var mail: String?
  /// The file about the issuer that people may log in by; nil for none.
  package var oidc: String?
  /// The file that names the registries whose modules apps may choose; nil offers none.
  package var modules: String?
  /// Tells whether webhooks may lead to addresses that are not of the whole internet.
  package var allowsPrivateWebhooks = false
  /// The file that lines about requests are written to; `-` is standard error, nil none.
  package var requestLog: String?
  /// The file that all is backed up to, or restored from, in the place of serving.
  package var backup: String?
  package var restore: String?
  /// The database that all rows of `database` are moved to, in the place of serving.
  package var migrate: String?
  package var limits = Limits()

  /// The database that a word names: `sqlite:PATH`, or the address of one at a server; nil where it is none.
  package static func database(_ word: String) -> String? {
    if word.hasPrefix("sqlite:"), word.utf8.count > 7 { return String(word.dropFirst(7)) }
    return word.hasPrefix("postgres://") || word.hasPrefix("postgresql://") ? word : nil
  }

  /// The limits of one request, one client, and one server.
  package struct Limits: Codable, Sendable, Equatable {
    /// Bytes of one upload.
    package var upload: Int64 = 2 << 30
    /// Bytes of a crash report or an envelope as sent.
    package var report: Int64 = 20 << 20
    /// Bytes of a body when decompressed, and how many times its compressed size it may be.
    package var decompressed: Int64 = 100 << 20
    package var ratio = 100
    /// Seconds that a connection may say nothing.
    package var idle = 30
    /// Bytes a second that a body must come with.
    package var leastRate = 1024
    /// Requests a second from one token; more are answered 429.
    package var rate = 10_000
    /// Reports that wait to be stored; beyond, 429 with Retry-After.
    package var waiting = 10_000
    /// Connections at once, as far as the files suffice that the process may open; beyond, 503 but for operators.
    package var connections = 2048
    /// Bytes of bodies that are held in memory at once, in all and of one address or key; beyond, 429.
    package var inFlight: Int64 = 256 << 20
    package var inFlightEach: Int64 = 128 << 20
    /// Open collection tasks of a device.
    package var tasks = 5
    /// Bytes of all that is stored, beyond which the oldest goes; 0 is for no such budget.
    package var disk: Int64 = 0
    /// Days that crashes, records, uploads and alive reports are kept; 0 is for ever.
    package var days = 0
    /// Hours after which an unfinished upload is removed.
    package var expiry = 24

    package init() {}
  }

  package init(data: String, listen: String) {
    self.data = data
    self.listen = listen
  }
}
