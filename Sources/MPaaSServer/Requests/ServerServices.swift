import HTTPTypes
import Hummingbird
package import MPaaSDatabase
package import MPaaSProtocol
import MPaaSSupport
package import MPaaSTerminal

/// The services that the routes of the server work with; handed to each.
package struct ServerServices: Sendable {
  package let configuration: ServerConfiguration
  package let store: ServerStore
  package let blobs: any BlobStore
  /// Those that are on their way, which are not removed meanwhile.
  let holds = BlobHolds()
  /// The place among the servers of the console; nil where it has one server.
  let session: ServerSession?
  package let access: Access
  package let counts: ServerCounts
  package let disk: DiskWork
  package let rates: RateLimit
  /// The turns of readers of files: the first steps of an answer, and each of its pieces.
  let readings = Turns(8)
  /// The turn of archives of modules that are packed.
  let packings = Turns(1)
  let connections: Connections
  /// Lines about requests; nil where none are written.
  let log: RequestLog?
  /// The numbers and times of requests.
  let meter = RequestMeter()
  /// The amounts that apps and tokens have sent of what they may send.
  let quotas: QuotaMeter
  /// Room on the disk for the next start.
  let reserve: DiskReserve
  let logins: LoginBrake
  /// Tokens elsewhere than in logins that were never given out.
  let wrongTokens: LoginBrake
  /// The budget of bodies in memory.
  package let budget: BodyBudget
  package let catalogue: Catalogue
  /// The rules that crashes are grouped by.
  let rules: GroupingRuleBook
  /// Groups that are to be named once there is time for symbols.
  let unnamed = UnnamedGroups()
  /// The reports that others are packed against.
  let packer: ReportPacker
  /// The rules by which what is sent is scrubbed before it is stored.
  let scrubbing = ScrubbingRuleBook()
  /// The registries whose modules apps may choose; nil for none.
  let modules: ModuleRegistries?
  /// The memory of what images issues lack.
  let missing = MissingImageMemory()
  /// The memory of what is noted of issues already.
  let issues: IssueMemory
  /// Seconds since 1970.
  package let now: @Sendable () -> Double
  /// Seconds of a clock that never jumps.
  let uptime: @Sendable () -> Double
  /// The variables of the environment, which may have secrets.
  let environment: [String: String]
  /// The work of routes where an upload is published, within the same transaction; set when the routes are put
  /// together.
  package var publications: [Publication] = []

  /// Reads what is to be read of an upload before it becomes whole, which may take its time.
  ///
  /// It gives what is to be done in the transaction in which it does. Where either throws, the upload is not published.
  package typealias Publication = @Sendable (PublishedUpload) throws -> (@Sendable (any SQLDatabase) throws -> Void)?

  package var limits: ServerConfiguration.Limits { configuration.limits }

  /// The address by which clients reach the server; known once it listens.
  package let address: ServerAddress

  /// Seconds since some moment, by a clock that never jumps.
  package static func uptime() -> @Sendable () -> Double {
    let start = ContinuousClock.now
    return { (ContinuousClock.now - start) / .seconds(1) }
  }

  /// Opens all in the data folder.
  ///
  /// - Parameters:
  ///   - tables: How the database's tables came to be, one step after the other.
  ///   - uptime: Seconds of a clock that never jumps, by which requests are slowed.
  ///   - environment: Has the key of a bucket.
  ///   - patience: Seconds for which a bucket that is away is waited for.
  /// - Throws: `SQLError`, `FileError`, `GroupingRulesError`, `ServerError`.
  package init(
    _ configuration: ServerConfiguration, tables: [String], now: @escaping @Sendable () -> Double,
    uptime: @escaping @Sendable () -> Double, disk: DiskWork, environment: [String: String], patience: Double
  ) throws {
    self.configuration = configuration
    self.now = now
    self.uptime = uptime
    self.environment = environment
    self.disk = disk
    let data = configuration.data
    try Directories.create(data)
    rules = try GroupingRuleBook(configuration)
    modules = try ModuleRegistries(configuration, now: now)
    let path = configuration.database ?? "\(data)/mpaas.sqlite"
    log = try configuration.requestLog.map { try RequestLog($0, now: now) }
    reserve = DiskReserve(data, database: DatabaseAddress(path).isFile ? path : data + "/")
    reserve.give()
    let member = ConsoleMember(
      folder: DataFolderName(data), isRemote: !DatabaseAddress(path).isFile,
      bucket: try BlobPlace(configuration.blobs).bucket)
    var entered: ConsoleMember.Entered?
    do {
      store = try ServerStore(path, steps: tables, limit: configuration.limits.waiting) { database in
        try UnfinishedMigration.check(database)
        // A server without its place among others would be in their way.
        if member.isRemote {
          entered = try member.enter(database)
        } else {
          try StartStep.unlessFull { entered = try member.enter(database) }
        }
      }
    } catch let error as SQLError where error.code == .newer {
      throw ServerError(
        .schemaNewer,
        [
          "file": error.values["file"] ?? data, "version": error.values["version"] ?? "", "known": String(tables.count),
        ])
    }
    reserve.keep()
    blobs = try BlobPlace(configuration.blobs).open(
      for: data, of: entered?.console, disk, environment: environment, patience: patience)
    let session = try entered.flatMap { [store] entered in
      try entered.member.map {
        try ServerSession($0, isFirst: $0 == entered.console, store, path, now: now)
      }
    }
    self.session = session
    quotas = QuotaMeter(session)
    issues = IssueMemory(isShared: session != nil)
    packer = ReportPacker(isShared: session != nil)
    access = Access(store, now: now, uptime: uptime)
    counts = ServerCounts()
    rates = RateLimit(rate: configuration.limits.rate, now: uptime)
    logins = LoginBrake(now: uptime)
    wrongTokens = LoginBrake(now: uptime)
    connections = Connections(configuration.limits.connections, files: OpenFiles.raised())
    budget = BodyBudget(most: configuration.limits.inFlight, each: configuration.limits.inFlightEach)
    catalogue = Catalogue(language: Language(tag: configuration.language) ?? .english)
    address = ServerAddress(configuration)
  }

  /// Counts a request of the caller against the rate.
  ///
  /// - Throws: `Refusal` `server-rate` with the seconds to wait.
  package func takeTurn(_ name: String) throws {
    guard let wait = rates.take(name) else { return }
    throw Refusal(.rate, after: wait)
  }

  /// The beginnings of paths whose changes are noted with more than these say.
  private static let noted = [
    ConsolePaths.tokens, ConsolePaths.people, ConsolePaths.teams, ConsolePaths.sessions, ConsolePaths.alerts,
    ConsolePaths.users, ConsolePaths.scrubbing, ConsolePaths.quotas, ConsolePaths.builds,
    ConsolePaths.rolloutRequests, ConsolePaths.rollouts, ConsolePaths.apps,
    "/people", "/account", "/alerts", "/apps", "/builds", "/patches",
  ]

  /// Notes a change that an operator made, in the audit log.
  func note(_ request: Request, _ grant: Grant, _ status: HTTPResponse.Status) async {
    guard status.code < 400, ![.get, .head, .options].contains(request.method),
      !grant.scopes.isSubset(of: [.ingest]), !Self.noted.contains(where: request.uri.path.hasPrefix)
    else { return }
    let deed = AuditTrail.Deed(
      actor: grant.name, action: request.method.rawValue, object: request.uri.path, app: grant.app)
    let moment = now()
    do { try await store.write { try AuditTrail.add(deed, at: moment, in: $0) } } catch {
      counts.add("left-out.audit")
    }
  }
}

/// An upload that has become whole and verified.
package struct PublishedUpload: Sendable, Equatable {
  package var id: String
  /// `log`, `crash` or `file`.
  package var kind: String
  package var filename: String?
  package var type: String?
  /// The file that it is read from until it is whole.
  package var file: String
  /// The blob that it becomes.
  package var sha256: String
  package var size: Int64
  package var batch: String?
  package var user: String?
  package var device: String?
  package var app: String
  package var task: String?
  /// Seconds since 1970.
  package var time: Double
}
