package import MPaaSSupport

/// Names the errors of the server.
package enum ServerDomain {}

/// The reason why the server could not begin, or refused what was sent.
package typealias ServerError = CodedError<ServerDomain>

extension CodedError<ServerDomain>.Code {
  /// The configuration cannot be read, or says what cannot be.
  package static var configuration: Self { ServerError.Code("server-configuration", exit: .badConfiguration) }
  /// The address is taken, or is none of this machine.
  package static var cannotListen: Self { ServerError.Code("server-cannot-listen", exit: .cannotCreate) }
  /// The certificate or its key cannot be used.
  package static var certificate: Self { ServerError.Code("server-certificate", exit: .badConfiguration) }
  /// Another server works on this folder.
  package static var folderInUse: Self { ServerError.Code("server-folder-in-use", exit: .tryAgain) }
  /// The database belongs to another data folder.
  package static var databaseTaken: Self { ServerError.Code("server-database-taken", exit: .badConfiguration) }
  /// Another server of the console took this one for dead.
  package static var signedOut: Self { ServerError.Code("server-signed-out", exit: .unreachable) }
  /// Rows of a console are still being moved to the database.
  static var migrationUnfinished: Self { ServerError.Code("migration-unfinished", exit: .badConfiguration) }

  /// The database was written by a newer release.
  package static var schemaNewer: Self { ServerError.Code("server-schema-newer", exit: .badConfiguration) }
  /// Nothing is there, or nothing that takes this method.
  package static var notFound: Self { ServerError.Code("server-not-found", exit: .inputMissing) }
  /// The error where what was sent is not what the route takes: a field is missing or cannot be read.
  package static var badRequest: Self { ServerError.Code("server-bad-request", exit: .malformedInput) }
  /// No token came with it.
  package static var tokenMissing: Self { .refused("server-token-missing") }
  /// The token is unknown, or has expired.
  package static var tokenUnknown: Self { .refused("server-token-unknown") }
  /// The token does not permit it.
  package static var scope: Self { .refused("server-scope") }
  /// A page of another site sent a browser here.
  package static var foreignOrigin: Self { .refused("server-foreign-origin") }
  /// The body is larger than what is taken.
  package static var tooLarge: Self { ServerError.Code("server-too-large", exit: .malformedInput) }
  /// It comes out larger than what is taken when it is decompressed, or too many times its size.
  package static var expands: Self { ServerError.Code("server-expands", exit: .malformedInput) }
  /// A body in an encoding that is not read, or whose compressed bytes are damaged.
  package static var encoding: Self { ServerError.Code("server-encoding", exit: .malformedInput) }
  /// The body came too slowly.
  package static var tooSlow: Self { ServerError.Code("server-too-slow", exit: .tryAgain) }
  /// The connection ended before the body did.
  package static var bodyCut: Self { ServerError.Code("server-body-cut", exit: .tryAgain) }
  /// More requests than one may make.
  package static var rate: Self { ServerError.Code("server-rate", exit: .tryAgain) }
  /// More was sent than an app or a token may send in a time.
  package static var quota: Self { ServerError.Code("server-quota", exit: .tryAgain) }
  /// More comes at once than the server holds.
  package static var crowded: Self { ServerError.Code("server-crowded", exit: .tryAgain) }
  /// More waits to be stored than there is room for.
  package static var busy: Self { ServerError.Code("server-busy", exit: .tryAgain) }
  /// The server of the database is away.
  package static var databaseAway: Self { ServerError.Code("server-database-away", exit: .tryAgain) }
  /// The bucket of the blobs is away, or does not do what it is asked.
  package static var blobsAway: Self { ServerError.Code("server-blobs-away", exit: .tryAgain) }
  /// The bucket of the blobs did not answer at the start.
  package static var blobsUnreachable: Self { ServerError.Code("server-blobs-unreachable", exit: .unreachable) }
  /// The bucket of the blobs refuses the key.
  package static var blobsDenied: Self { .refused("server-blobs-denied") }
  /// There is no such bucket.
  package static var blobsBucket: Self { ServerError.Code("server-blobs-bucket", exit: .badConfiguration) }
  /// There is no key for the bucket in the environment.
  package static var blobsKey: Self { ServerError.Code("server-blobs-key", exit: .badConfiguration) }
  /// The blobs there belong to another data folder.
  package static var blobsTaken: Self { ServerError.Code("server-blobs-taken", exit: .badConfiguration) }
  /// The store of the bucket cannot be used: it is none of S3, is not trusted, or lacks something.
  package static var blobsUnusable: Self { ServerError.Code("server-blobs-unusable", exit: .badConfiguration) }
  /// The disk is full.
  package static var full: Self { ServerError.Code("server-full", exit: .inputOutput) }
  /// Anything that should not be.
  package static var fault: Self { ServerError.Code("server-fault", exit: .internalFault) }
}
